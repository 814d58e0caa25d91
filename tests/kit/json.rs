//! Fields of a JSON text that know where they stand, so that an error can say which one is wrong.

use nalgebra::Vector3;
use serde_json::Value;

use crate::ReadError;
use crate::text::shown;

/// A value in a JSON text, and the way to it from the top.
#[derive(Debug)]
pub(crate) struct Field<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> Field<'a> {
    /// The whole text.
    pub(crate) fn root(value: &'a Value) -> Self {
        Self {
            path: String::new(),
            value,
        }
    }

    /// The field of an object, `None` where it is missing or null.
    pub(crate) fn optional(&self, name: &str) -> Result<Option<Self>, ReadError> {
        let object = self
            .value
            .as_object()
            .ok_or_else(|| self.expected("an object"))?;
        let value = object.get(name).filter(|value| !value.is_null());
        Ok(value.map(|value| Self {
            path: self.path_to(name),
            value,
        }))
    }

    /// The field of an object, which must be there.
    pub(crate) fn required(&self, name: &str) -> Result<Self, ReadError> {
        self.optional(name)?.ok_or_else(|| ReadError::Missing {
            field: self.path_to(name),
        })
    }

    /// The items of an array, one at a time: each with its path takes far more memory than in the file.
    pub(crate) fn items(&self) -> Result<impl Iterator<Item = Self>, ReadError> {
        let items = self
            .value
            .as_array()
            .ok_or_else(|| self.expected("an array"))?;
        Ok(items.iter().enumerate().map(|(i, value)| Self {
            path: format!("{}[{i}]", self.path),
            value,
        }))
    }

    /// The items of an array of so many.
    pub(crate) fn array<const N: usize>(
        &self,
        expected: &'static str,
    ) -> Result<[Self; N], ReadError> {
        let items: Vec<Self> = self.items()?.take(N + 1).collect();
        items.try_into().map_err(|_| self.expected(expected))
    }

    pub(crate) fn text(&self) -> Result<&'a str, ReadError> {
        self.value.as_str().ok_or_else(|| self.expected("a string"))
    }

    pub(crate) fn bool(&self) -> Option<bool> {
        self.value.as_bool()
    }

    /// A number; JSON has none that are not finite, so those are strings.
    pub(crate) fn number(&self) -> Result<f64, ReadError> {
        match self.value.as_str() {
            Some("NaN") => Some(f64::NAN),
            Some("Infinity") => Some(f64::INFINITY),
            Some("-Infinity") => Some(f64::NEG_INFINITY),
            _ => self.value.as_f64(),
        }
        .ok_or_else(|| self.expected("a number, \"NaN\", \"Infinity\" or \"-Infinity\""))
    }

    /// An array of numbers.
    pub(crate) fn numbers(&self) -> Result<Vec<f64>, ReadError> {
        self.items()?.map(|item| item.number()).collect()
    }

    /// A whole number from 0 up.
    pub(crate) fn whole(&self) -> Result<u64, ReadError> {
        self.value
            .as_u64()
            .ok_or_else(|| self.expected("a whole number from 0 up"))
    }

    /// A degree: a whole number that is an index, at least in principle.
    pub(crate) fn degree(&self) -> Result<usize, ReadError> {
        usize::try_from(self.whole()?).map_err(|_| self.expected("a degree"))
    }

    /// A point or a velocity.
    pub(crate) fn vector(&self) -> Result<Vector3<f64>, ReadError> {
        let [x, y, z] = self.array("three numbers")?;
        Ok(Vector3::new(x.number()?, y.number()?, z.number()?))
    }

    /// Points or velocities.
    pub(crate) fn vectors(&self) -> Result<Vec<Vector3<f64>>, ReadError> {
        self.items()?.map(|item| item.vector()).collect()
    }

    /// The error that this field is something else than expected.
    pub(crate) fn expected(&self, expected: &'static str) -> ReadError {
        ReadError::Field {
            field: if self.path.is_empty() {
                "(whole file)".to_owned()
            } else {
                self.path.clone()
            },
            expected,
            found: shown(self.value.to_string().as_bytes()),
        }
    }

    fn path_to(&self, name: &str) -> String {
        if self.path.is_empty() {
            name.to_owned()
        } else {
            format!("{}.{name}", self.path)
        }
    }
}
