//! A workspace that has seen a query answers it again without touching the heap.

use patch_ccd::random::RandomPairs;
use patch_ccd::{Inclusion, Options, Workspace, io::PairKind};

#[test]
fn a_second_query_allocates_nothing() {
    let mut workspace = Workspace::new();
    for kind in PairKind::TABLE {
        for inclusion in [Inclusion::Aabb, Inclusion::Obb] {
            let options = Options {
                inclusion,
                delta: 1e-3,
                ..Options::default()
            };
            for pair in RandomPairs::new(kind.shape(), 5).take(5) {
                let [a, b] = pair.unwrap();
                let first = workspace.time_of_impact(&a, &b, &options).unwrap();
                let mut second = None;
                let heap = allocation_counter::measure(|| {
                    second = workspace.time_of_impact(&a, &b, &options).ok();
                });
                assert_eq!(second, Some(first));
                assert_eq!(heap.count_total, 0, "{kind} {inclusion}");
            }
        }
    }
}
