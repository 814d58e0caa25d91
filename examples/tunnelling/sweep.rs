//! The 400 cases: twenty speeds against twenty walls.

use nalgebra::{point, vector};
use patch_ccd::{Error, Workspace};

use crate::wall::{Block, RADIUS, time_of_impact};
use crate::{START, TICK, TICKS_PER_SECOND};

/// One speed against one wall.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    /// m/s
    pub(crate) speed: f64,
    /// m
    pub(crate) thickness: f64,
    /// How long a part of the circle is in the wall at the end of the tick, in m; `None` when they
    /// do not touch then.
    pub(crate) overlap_at_end: Option<f64>,
    /// When the circle touches the wall by the closed form, in s, if it does within the tick.
    pub(crate) exact: Option<f64>,
    /// When this crate says that it does.
    pub(crate) toi: Option<f64>,
}

impl Case {
    pub(crate) fn solve(
        speed: f64,
        thickness: f64,
        delta: f64,
        workspace: &mut Workspace,
    ) -> Result<Self, Error> {
        let end = START + speed / TICKS_PER_SECOND;
        let overlap = (end + RADIUS).min(thickness) - (end - RADIUS).max(0.0);
        let distance = -RADIUS - START;
        let (centre, velocity) = (point![START, 0.0], vector![speed, 0.0]);
        let mut toi: Option<f64> = None;
        for face in Block::wall(thickness).faces() {
            let outcome = time_of_impact(&centre, &velocity, &face, TICK, delta, workspace)?;
            toi = [toi, outcome.toi()]
                .into_iter()
                .flatten()
                .min_by(f64::total_cmp);
        }
        Ok(Self {
            speed,
            thickness,
            overlap_at_end: (overlap >= 0.0).then_some(overlap),
            exact: (speed / TICKS_PER_SECOND >= distance).then(|| distance / speed),
            toi,
        })
    }

    /// Whether the circle starts before the wall and ends beyond it.
    pub(crate) fn passes(&self) -> bool {
        let end = START + self.speed / TICKS_PER_SECOND;
        START + RADIUS < 0.0 && end - RADIUS > self.thickness
    }
}

pub(crate) fn speeds() -> impl Iterator<Item = f64> {
    (1..=20).map(|k| f64::from(5 * k))
}

pub(crate) fn thicknesses() -> impl Iterator<Item = f64> {
    (1..=20).map(|k| f64::from(k) / 20.0)
}

/// All cases, wall by wall.
pub(crate) fn sweep(delta: f64, workspace: &mut Workspace) -> Result<Vec<Case>, Error> {
    let mut cases = Vec::new();
    for thickness in thicknesses() {
        for speed in speeds() {
            cases.push(Case::solve(speed, thickness, delta, workspace)?);
        }
    }
    Ok(cases)
}
