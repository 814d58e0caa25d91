//! How a query of meshes is called: of two meshes or of one against itself, as a function and as a
//! method.

/// Each call with its variant for one mesh against itself, as a function and as a method of the
/// workspace. All of them return the same errors. A call's example comes after `example:`.
macro_rules! mesh_queries {
    (
        options: $options:ident;
        errors: $errors:literal;
        $(
            $(#[$doc:meta])*
            example:
            $(#[$example:meta])*
            $name:ident, $own:ident => $answer:ty = $call:expr;
        )+
    ) => {
        $(
            $(#[$doc])*
            ///
            /// # Errors
            #[doc = $errors]
            ///
            $(#[$example])*
            pub fn $name(
                a: &MovingMesh<'_>,
                b: &MovingMesh<'_>,
                options: &$options<'_>,
            ) -> Result<$answer, Error> {
                MeshWorkspace::new().$name(a, b, options)
            }

            #[doc = concat!("[`", stringify!($name), "`] of a mesh against itself:")]
            /// of all pairs of elements that share no point.
            ///
            /// # Errors
            #[doc = $errors]
            pub fn $own(mesh: &MovingMesh<'_>, options: &$options<'_>) -> Result<$answer, Error> {
                MeshWorkspace::new().$own(mesh, options)
            }
        )+

        impl MeshWorkspace {
            $(
                #[doc = concat!("[`", stringify!($name), "`] in this workspace.")]
                ///
                /// # Errors
                #[doc = $errors]
                pub fn $name(
                    &mut self,
                    a: &MovingMesh<'_>,
                    b: &MovingMesh<'_>,
                    options: &$options<'_>,
                ) -> Result<$answer, Error> {
                    $call(self, Meshes::Between(a, b), options)
                }

                #[doc = concat!("[`", stringify!($own), "`] in this workspace.")]
                ///
                /// # Errors
                #[doc = $errors]
                pub fn $own(
                    &mut self,
                    mesh: &MovingMesh<'_>,
                    options: &$options<'_>,
                ) -> Result<$answer, Error> {
                    $call(self, Meshes::Within(mesh), options)
                }
            )+
        }
    };
}

pub(super) use mesh_queries;
