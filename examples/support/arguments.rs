//! Arguments that several examples take, and the kinds of values that they read.

use std::error::Error;
use std::fmt::{Debug, Display};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::process::ExitCode;
use std::str::FromStr;
use std::time::Duration;

use bpaf::{Parser, any, construct, long};
use patch_ccd::{Inclusion, Method, Options};

/// An option's name, what its value is called, and what it is for.
pub type Described = [&'static str; 3];

/// Runs a program with the arguments that it is given.
pub fn run<T: 'static>(
    about: &'static str,
    arguments: impl Parser<T> + 'static,
    program: impl FnOnce(T) -> Result<ExitCode, Box<dyn Error>>,
) -> ExitCode {
    crate::exit(program(arguments.to_options().descr(about).run()))
}

/// A number within a range, `default` where it is not given.
pub fn number<T: Number>(
    described: Described,
    range: RangeInclusive<T>,
    default: T,
) -> impl Parser<T> {
    given(described, range).fallback(default).debug_fallback()
}

/// A number within a range, if it is given.
pub fn optional_number<T: Number>(
    described: Described,
    range: RangeInclusive<T>,
) -> impl Parser<Option<T>> {
    given(described, range).optional()
}

/// As [`number`], but what begins with a minus is a number too.
pub fn signed_number(
    described: Described,
    range: RangeInclusive<f64>,
    default: f64,
) -> impl Parser<f64> {
    let [name, value, _] = described;
    let flag = long(name).req_flag(());
    let next = signed(value, range.clone());
    let as_next_word = construct!(flag, next)
        .adjacent()
        .map(|(_, next)| next)
        .hide();
    let given = given(described, range);
    construct!([as_next_word, given])
        .fallback(default)
        .debug_fallback()
}

/// Two numbers within a range, `--name X Y`; what begins with a minus is a number too.
pub fn pair(
    name: &'static str,
    help: &'static str,
    range: RangeInclusive<f64>,
) -> impl Parser<[f64; 2]> {
    let flag = long(name).req_flag(());
    let (x, y) = (signed("X", range.clone()), signed("Y", range));
    let pair = construct!(flag, x, y)
        .adjacent()
        .map(|(_, x, y)| [x, y])
        .hide();
    // For the help text, and for those who give one number only.
    let single = long(name).help(help).argument::<String>("X Y");
    let single = single.parse(|_| Err("two numbers are needed"));
    construct!([pair, single])
}

/// A positive number of seconds.
pub fn seconds(name: &'static str, help: &'static str, default: f64) -> impl Parser<Duration> {
    number([name, "SECONDS", help], 1e-9..=1e9, default).map(Duration::from_secs_f64)
}

/// `--delta`.
pub fn delta(help: &'static str, default: f64) -> impl Parser<f64> {
    // What is out of range the query itself refuses.
    number(
        ["delta", "DELTA", help],
        f64::NEG_INFINITY..=f64::INFINITY,
        default,
    )
}

/// `--inclusion`.
pub fn inclusion() -> impl Parser<Inclusion> {
    let given = long("inclusion").help("aabb or obb").argument("INCLUSION");
    given.fallback(Inclusion::default()).display_fallback()
}

/// `--method`.
pub fn method() -> impl Parser<Method> {
    let given = long("method").help("two-sided, time-dependent or traditional");
    given
        .argument("METHOD")
        .fallback(Method::default())
        .display_fallback()
}

/// `--max-boxes`.
pub fn max_boxes(help: &'static str, default: u64) -> impl Parser<u64> {
    number(["max-boxes", "BOXES", help], 1..=u64::MAX, default)
}

/// How to solve: `--delta`, `--inclusion`, `--method` and `--max-boxes`.
pub fn options() -> impl Parser<Options> {
    let default = Options::default();
    let delta = delta("Tolerance on parameters and time", 1e-6);
    let (inclusion, method) = (inclusion(), method());
    let max_boxes = max_boxes("Boxes to test at most in one query", default.max_boxes);
    construct!(delta, inclusion, method, max_boxes).map(
        move |(delta, inclusion, method, max_boxes)| Options {
            delta,
            inclusion,
            method,
            max_boxes,
            ..default
        },
    )
}

/// `--out`, a folder for results.
pub fn folder(help: &'static str) -> impl Parser<PathBuf> {
    long("out").help(help).argument("FOLDER")
}

/// As [`folder`], and where none is given it is `out`.
pub fn folder_or_out(help: &'static str) -> impl Parser<PathBuf> {
    let format =
        |folder: &PathBuf, f: &mut std::fmt::Formatter<'_>| write!(f, "{}", folder.display());
    folder(help).fallback("out".into()).format_fallback(format)
}

/// What can be asked for within a range.
pub trait Number: FromStr<Err: Display> + PartialOrd + Clone + Debug + 'static {}

impl<T: FromStr<Err: Display> + PartialOrd + Clone + Debug + 'static> Number for T {}

fn given<T: Number>([name, value, help]: Described, range: RangeInclusive<T>) -> impl Parser<T> {
    let text = long(name).help(help).argument::<String>(value);
    text.parse(move |text| within(&text, &range))
}

fn signed(value: &'static str, range: RangeInclusive<f64>) -> impl Parser<f64> {
    any::<String, _, _>(value, Some).parse(move |text| within(&text, &range))
}

fn within<T: Number>(text: &str, range: &RangeInclusive<T>) -> Result<T, String> {
    let value: T = text.parse().map_err(|error: T::Err| error.to_string())?;
    if range.contains(&value) {
        Ok(value)
    } else {
        let (least, most) = (range.start(), range.end());
        Err(format!("a number from {least:?} to {most:?} is needed"))
    }
}
