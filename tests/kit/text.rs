//! Text of files as their readers see it, and as errors show it.

/// Characters of a wrong word that an error shows.
const SHOWN: usize = 40;

/// Characters of a message that is not long, and of the beginning and the end of one that is.
const LONGEST: usize = 200;
const BEGINNING: usize = 60;
const END: usize = 100;

/// A text without the byte order mark that some editors put before it, and that nobody sees.
pub(crate) fn without_mark(text: &[u8]) -> &[u8] {
    text.strip_prefix("\u{feff}".as_bytes()).unwrap_or(text)
}

/// A wrong word for an error, cut short where it is long.
pub(crate) fn shown(word: &[u8]) -> String {
    // No character takes more than four bytes; the word may be the whole file.
    let beginning = word.get(..4 * (SHOWN + 1)).unwrap_or(word);
    // What would move the cursor of a terminal is not a character to be seen.
    let text = String::from_utf8_lossy(beginning).replace(char::is_control, "\u{fffd}");
    if text.chars().nth(SHOWN).is_none() {
        return text;
    }
    format!("{}…", text.chars().take(SHOWN).collect::<String>())
}

/// A message, cut short in the middle where it is long: what it says of a value stands first, what
/// it says of its own last.
pub(crate) fn shortened(message: &str) -> String {
    // The names of fields come from the file as they are.
    let message = message.replace(char::is_control, "\u{fffd}");
    let count = message.chars().count();
    if count <= LONGEST {
        return message;
    }
    let beginning: String = message.chars().take(BEGINNING).collect();
    let end: String = message.chars().skip(count - END).collect();
    format!("{beginning}…{end}")
}
