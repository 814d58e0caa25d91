//! Which sample points are near which patches, and how near.

use nalgebra::{Point3, Vector3};
use patch_ccd::mesh::{MeshOptions, MeshWorkspace, MovingMesh};
use patch_ccd::{Error, Options};
use rayon::prelude::*;

use super::contact::{Contact, Press};
use super::link::{Link, Site};
use super::snapshot::{Nearest, Snapshot, Ways};
use super::surfaces::{Body, Place, Surfaces};

/// Sample points along each parameter of a patch of the sheet, and of the solid, from border to
/// border.
const SHEET_SAMPLES: usize = 7;
const SOLID_SAMPLES: usize = 9;

/// A sample point against a patch.
#[derive(Clone, Debug)]
struct Probe {
    site: Site,
    other: On,
    /// Distance below which the cushion presses.
    rest: f64,
    /// Where the sample is at the start of the step, and towards it from the nearest point of the
    /// patch.
    start: Vector3<f64>,
    side: Vector3<f64>,
    /// How much farther it can be then.
    reach: f64,
    on_solid: bool,
}

/// A patch of one of the bodies.
type On = (Body, usize);

/// A patch whose samples may come near another patch.
#[derive(Clone, Copy, Debug)]
struct Pair {
    sampled: On,
    other: On,
    /// Distance below which the cushion presses.
    rest: f64,
}

/// The samples that may come near a patch in a step.
#[derive(Clone, Debug, Default)]
pub(super) struct Probes {
    probes: Vec<Probe>,
    /// The control points of the sheet at the start of the step.
    net: Vec<Point3<f64>>,
    solid_at: Vector3<f64>,
}

impl Probes {
    /// The samples that may come within the cushion of a patch in a step that moves the unknowns
    /// about as far as `way` does; `separations` are those from the solid and within the sheet.
    pub(super) fn new(
        surfaces: &Surfaces,
        q: &[Vector3<f64>],
        way: &[Vector3<f64>],
        contact: &Contact,
        separations: [f64; 2],
    ) -> Result<Self, Error> {
        let snapshot = Snapshot::new(surfaces, q)?;
        let ways = Ways::new(surfaces, way)?;
        let rests = separations.map(|separation| separation + contact.cushion);
        let pairs = pairs(surfaces, q, way, rests)?;
        let probes = pairs.par_iter().map(
            |&Pair {
                 sampled,
                 other,
                 rest,
             }| {
                // What comes from farther away than this is left to collision detection.
                let way = 1.5 * (ways.of(sampled) + ways.of(other));
                let reach = way.clamp(0.5 * contact.cushion, contact.reach);
                let mut probes = Vec::new();
                for site in samples(surfaces, sampled) {
                    let start = site.position(q);
                    if let Some(nearest) = snapshot.nearest(other, start, rest + reach)? {
                        probes.push(Probe {
                            site,
                            other,
                            rest,
                            start,
                            side: nearest.apart,
                            reach,
                            on_solid: sampled.0 == Body::Solid,
                        });
                    }
                }
                Ok(probes)
            },
        );
        Ok(Self {
            probes: probes.collect::<Result<Vec<_>, Error>>()?.concat(),
            net: surfaces.sheet_net(q)?,
            solid_at: surfaces.solid_displacement(q),
        })
    }

    /// The nodes that each of them couples.
    pub(super) fn groups(&self, surfaces: &Surfaces) -> impl Iterator<Item = Vec<usize>> {
        self.probes.iter().map(|probe| {
            let at = (0.0, 0.0);
            let (body, patch) = probe.other;
            let other = surfaces.site(Place { body, patch, at });
            Link::new(&probe.site, &other).nodes.to_vec()
        })
    }

    /// The samples within the cushion.
    pub(super) fn presses(
        &self,
        surfaces: &Surfaces,
        q: &[Vector3<f64>],
        contact: &Contact,
    ) -> Result<Vec<Press>, Error> {
        if self.probes.is_empty() {
            return Ok(Vec::new());
        }
        let snapshot = Snapshot::new(surfaces, q)?;
        let moved = Ways::since(surfaces, q, &self.net, &self.solid_at)?;
        let presses = self.probes.par_iter().map(|probe| {
            let point = probe.site.position(q);
            // Too little a way from where it was to be pressed.
            let way = (point - probe.start).norm() + moved.of(probe.other);
            if probe.side.norm() - way > probe.rest {
                return Ok(None);
            }
            let reach = probe.rest + 2.0 * probe.reach;
            let nearest = snapshot.nearest(probe.other, point, reach)?;
            Ok(nearest.and_then(|nearest| probe.press(surfaces, contact, point, &nearest)))
        });
        let presses = presses.collect::<Result<Vec<_>, Error>>()?;
        Ok(presses.into_iter().flatten().collect())
    }
}

impl Probe {
    fn press(
        &self,
        surfaces: &Surfaces,
        contact: &Contact,
        point: Vector3<f64>,
        nearest: &Nearest,
    ) -> Option<Press> {
        // On the other side than at the start it has gone through; or past the border, where there
        // is no other side.
        let through = nearest.apart.dot(&self.side) < 0.0;
        if through && nearest.is_on_border() {
            return None;
        }
        let length = nearest.apart.norm();
        let distance = if through { -length } else { length };
        if distance >= self.rest || distance == 0.0 {
            return None;
        }
        let normal = nearest.apart / distance;
        let (body, patch) = self.other;
        let other = surfaces.site(Place {
            body,
            patch,
            at: nearest.at,
        });
        // Forces are told of the sheet, whichever has the sample.
        let (link, normal) = match body {
            Body::Sheet if self.on_solid => (Link::new(&other, &self.site), -normal),
            _ => (Link::new(&self.site, &other), normal),
        };
        Some(Press {
            link,
            normal,
            rest: self.rest,
            stiffness: contact.stiffness,
            at: point,
        })
    }
}

/// The pairs of patches that come near each other if the unknowns move by this.
fn pairs(
    surfaces: &Surfaces,
    q: &[Vector3<f64>],
    way: &[Vector3<f64>],
    rests: [f64; 2],
) -> Result<Vec<Pair>, Error> {
    let end: Vec<_> = q.iter().zip(way).map(|(q, way)| q + way).collect();
    let sheet = [surfaces.sheet_net(q)?, surfaces.sheet_net(&end)?];
    let solid = [surfaces.solid_net(q), surfaces.solid_net(&end)];
    let sheet = MovingMesh::between(&surfaces.sheet_mesh, &sheet[0], &sheet[1])?;
    let solid = MovingMesh::between(&surfaces.solid.mesh, &solid[0], &solid[1])?;
    // Twice as far, as the step may go otherwise.
    let [near, near_itself] = rests.map(|rest| MeshOptions {
        query: Options {
            min_separation: 2.0 * rest,
            ..Options::default()
        },
        ..MeshOptions::default()
    });
    let between = MeshWorkspace::new().candidates(&sheet, &solid, &near)?;
    let within = MeshWorkspace::new().self_candidates(&sheet, &near_itself)?;
    let between = between.iter().map(|pair| (pair, Body::Solid, rests[0]));
    let within = within.iter().map(|pair| (pair, Body::Sheet, rests[1]));
    let pairs = between.chain(within).flat_map(|(pair, second, rest)| {
        let [a, b] = pair.elements.map(|element| element.index() as usize);
        let (a, b) = ((Body::Sheet, a), (second, b));
        [(a, b), (b, a)].map(|(sampled, other)| Pair {
            sampled,
            other,
            rest,
        })
    });
    Ok(pairs.collect())
}

/// The samples of a patch.
fn samples(surfaces: &Surfaces, (body, patch): On) -> Vec<Site> {
    let count = match body {
        Body::Sheet => SHEET_SAMPLES,
        Body::Solid => SOLID_SAMPLES,
    };
    let along = |k: usize| k as f64 / (count - 1) as f64;
    let places = (0..count).flat_map(|i| (0..count).map(move |j| (along(i), along(j))));
    places
        .map(|at| surfaces.site(Place { body, patch, at }))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::models::{SETTINGS, drape};
    use crate::shell::{KINDS, Matrix, Pattern};

    #[test]
    fn the_cushion_presses_as_its_energy_says() {
        // The cloth on the lid's knob, a little askew, and a change of all its unknowns.
        let simulation = drape(4).unwrap();
        let mut q = simulation.q.clone();
        let wave = |k: usize, c: usize| (1.7 * k as f64 + 2.3 * c as f64).sin();
        for (k, vector) in q.iter_mut().enumerate() {
            if k % KINDS == 0 {
                vector.z -= 0.0193 + 1e-4 * wave(k, 0);
            }
        }
        let way: Vec<_> = (0..q.len())
            .map(|k| Vector3::new(wave(k, 1), wave(k, 2), wave(k, 3)))
            .collect();
        let surfaces = &simulation.surfaces;
        let still = vec![Vector3::zeros(); q.len()];
        let contact = &SETTINGS.contact;
        let probes = Probes::new(surfaces, &q, &still, contact, simulation.separations()).unwrap();
        let presses = probes.presses(surfaces, &q, contact).unwrap();
        assert!(presses.len() > 4, "{}", presses.len());
        let pattern = Pattern::new(surfaces.node_count(), surfaces.sheet.groups()).unwrap();
        let mut gradient = still.clone();
        let mut matrix = Matrix::zeros(&pattern);
        for press in &presses {
            let (by, twice) = press.derivatives(&q).unwrap();
            press
                .link
                .add(&by, &twice, &mut gradient, &pattern, &mut matrix);
        }
        let slope: f64 = gradient.iter().zip(&way).map(|(g, w)| g.dot(w)).sum();
        let step = 1e-7;
        let [below, above] = [-step, step].map(|by| {
            let q: Vec<_> = q.iter().zip(&way).map(|(q, w)| q + w * by).collect();
            let presses = probes.presses(surfaces, &q, contact).unwrap();
            presses.iter().map(|press| press.energy(&q)).sum::<f64>()
        });
        let expected = (above - below) / (2.0 * step);
        assert!(
            (slope - expected).abs() < 1e-5 * expected.abs(),
            "{slope} {expected}"
        );
    }
}
