//! How a query of meshes is called: of two or of one against itself, as a function and as a method.

/// Each call with its variant for one mesh against itself, as a function and as a method of the workspace.
macro_rules! mesh_queries {
    ($options:ident; $($(#[$doc:meta])* $name:ident, $own:ident => $answer:ty = $call:expr;)+) => {
        $(
            $(#[$doc])*
            pub fn $name(
                a: &MovingMesh<'_>,
                b: &MovingMesh<'_>,
                options: &$options<'_>,
            ) -> Result<$answer, Error> {
                MeshWorkspace::new().$name(a, b, options)
            }

            #[doc = concat!("[`", stringify!($name), "`] of a mesh against itself: between elements that share no point.")]
            ///
            /// # Errors
            /// As there.
            pub fn $own(mesh: &MovingMesh<'_>, options: &$options<'_>) -> Result<$answer, Error> {
                MeshWorkspace::new().$own(mesh, options)
            }
        )+

        impl MeshWorkspace {
            $(
                #[doc = concat!("[`", stringify!($name), "`] in this workspace.")]
                ///
                /// # Errors
                /// As there.
                pub fn $name(
                    &mut self,
                    a: &MovingMesh<'_>,
                    b: &MovingMesh<'_>,
                    options: &$options<'_>,
                ) -> Result<$answer, Error> {
                    $call(self, crate::mesh::model::Meshes::Between(a, b), options)
                }

                #[doc = concat!("[`", stringify!($own), "`] in this workspace.")]
                ///
                /// # Errors
                /// As there.
                pub fn $own(
                    &mut self,
                    mesh: &MovingMesh<'_>,
                    options: &$options<'_>,
                ) -> Result<$answer, Error> {
                    $call(self, crate::mesh::model::Meshes::Within(mesh), options)
                }
            )+
        }
    };
}

pub(super) use mesh_queries;
