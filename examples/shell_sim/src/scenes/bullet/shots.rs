//! Many shots at one length of a step: each flown in the simulator, and looked at as a ballistic
//! step in simpler ways.

use std::error::Error;
use std::io::{self, Write};

use rayon::prelude::*;

use crate::scenes::table::Figures;
use support::checks::Checks;
use support::progress_bar;

use super::compare::Asked;
use super::flight::{Ending, Flight, fly};
use super::shot::{Aim, Shots};
use super::ways::ask;

/// Steps of a shot.
const STEPS: usize = 3;

const ENDINGS: [(Ending, &str); 5] = [
    (Ending::Stopped, "stopped"),
    (Ending::Rebounded, "rebounded"),
    (Ending::Deflected, "touched, then past the border"),
    (Ending::Beside, "passed beside"),
    (Ending::Tunnelled, "tunnelled"),
];

/// The shots of one length of a step.
pub(crate) struct Series {
    dt: f64,
    flights: Vec<Flight>,
    pub(crate) asked: Vec<Asked>,
    /// Ballistic steps that a query left open.
    open: usize,
}

impl Series {
    /// Every second shot is a grazing one. Those that start in contact are left out.
    pub(crate) fn run(dt: f64, count: usize) -> Result<Self, Box<dyn Error>> {
        let mut random = Shots::new((1e4 * dt) as u64, dt);
        let shots: Vec<_> = (0..count)
            .map(|k| random.draw([Aim::Sheet, Aim::Graze][k % 2]))
            .collect();
        let bar = progress_bar(count as u64)?.with_message(format!("Shots in steps of {dt} s"));
        let done: Result<Vec<_>, String> = shots
            .into_par_iter()
            .map(|shot| {
                let told = |error: &dyn Error| format!("{shot:?}: {error}");
                let flight = fly(&shot, dt, STEPS).map_err(|error| told(&*error))?;
                let answers = ask(&shot, dt).map_err(|error| told(&*error))?;
                bar.inc(1);
                Ok(flight.map(|flight| (shot, flight, answers)))
            })
            .collect();
        bar.finish_and_clear();
        let done: Vec<_> = done?.into_iter().flatten().collect();
        let open = done.iter().filter(|(_, _, answers)| answers.is_none());
        Ok(Self {
            dt,
            open: open.count(),
            flights: done.iter().map(|(_, flight, _)| flight.clone()).collect(),
            asked: done
                .into_iter()
                .filter_map(|(shot, _, answers)| {
                    let answers = answers?;
                    Some(Asked { dt, shot, answers })
                })
                .collect(),
        })
    }

    fn count(&self, ending: Ending) -> usize {
        let of = self.flights.iter().filter(|flight| flight.ending == ending);
        of.count()
    }

    fn sum(&self, of: impl Fn(&Flight) -> usize) -> usize {
        self.flights.iter().map(of).sum()
    }

    fn most(&self, of: impl Fn(&Flight) -> usize) -> usize {
        self.flights.iter().map(of).max().unwrap_or_default()
    }

    /// No shot goes through the sheet, and nothing is ever nearer than the separation.
    pub(crate) fn check<W: Write>(&self, checks: &mut Checks<W>) -> io::Result<()> {
        let (tunnelled, near) = (self.count(Ending::Tunnelled), self.sum(|f| f.too_near));
        checks.must(
            tunnelled == 0 && near == 0 && self.open == 0,
            format_args!(
                "dt = {} ms: {tunnelled} of {} shots tunnel, {near} of {} states are nearer than \
                 the separation, {} queries left open",
                1e3 * self.dt,
                self.flights.len(),
                self.sum(|f| f.states),
                self.open
            ),
        )
    }
}

/// How the shots ended.
pub(crate) fn table(series: &[Series]) -> Figures {
    let mut head = vec!["dt", "shots"];
    head.extend(ENDINGS.map(|(_, name)| name));
    head.extend([
        "states",
        "too near",
        "most pieces",
        "most proposals",
        "time lost",
        "longest step",
    ]);
    let mut figures = Figures::new("How shots of 200 to 400 m/s end", &head);
    figures.rows = series
        .iter()
        .map(|of| {
            let mut row = vec![format!("{} ms", 1e3 * of.dt), of.flights.len().to_string()];
            row.extend(ENDINGS.map(|(ending, _)| of.count(ending).to_string()));
            let lost: f64 = of.flights.iter().map(|flight| flight.lost).sum();
            let longest = of.asked.iter().map(|asked| asked.shot.velocity.norm());
            row.extend([
                of.sum(|f| f.states).to_string(),
                of.sum(|f| f.too_near).to_string(),
                of.most(|f| f.pieces).to_string(),
                of.most(|f| f.passes).to_string(),
                format!("{lost:.1e} s"),
                format!("{:.1} m", of.dt * longest.fold(0.0, f64::max)),
            ]);
            row
        })
        .collect();
    figures
}
