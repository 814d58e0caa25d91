//! What both searches leave behind, to be printed and drawn.

/// A test of one box of the (t, s) square.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tested {
    /// How many halvings led to it.
    pub(crate) level: u32,
    pub(crate) t: [f64; 2],
    pub(crate) s: [f64; 2],
    /// The part of its time that the test could not rule out.
    pub(crate) left: Option<[f64; 2]>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Answer {
    Clear,
    /// The box accepted: a contact may be in it, and none is before it starts.
    Contact {
        t: [f64; 2],
        s: [f64; 2],
    },
    /// The budget of boxes ended; no contact is before `toi`.
    Exhausted {
        toi: f64,
    },
}

/// A search that ended.
#[derive(Clone, Debug)]
pub(crate) struct Search {
    pub(crate) answer: Answer,
    pub(crate) tested: Vec<Tested>,
}

impl Answer {
    pub(crate) fn toi(&self) -> Option<f64> {
        match *self {
            Self::Clear => None,
            Self::Contact { t, .. } => Some(t[0]),
            Self::Exhausted { toi } => Some(toi),
        }
    }
}

pub(crate) fn width([start, end]: [f64; 2]) -> f64 {
    end - start
}

pub(crate) fn halves([start, end]: [f64; 2]) -> [[f64; 2]; 2] {
    let middle = 0.5 * (start + end);
    [[start, middle], [middle, end]]
}
