//! JSON texts, read so that an error says which field is wrong.

use std::fmt;
use std::marker::PhantomData;

use nalgebra::Vector3;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::ReadError;
use crate::text::{shortened, shown};

/// Reads an object; an error names the field with the fields around it.
pub(crate) fn read<T: DeserializeOwned>(value: &Value) -> Result<T, ReadError> {
    let read: Result<Object<T>, _> = serde_path_to_error::deserialize(value);
    read.map(|Object(read)| read).map_err(|error| {
        let path = error.path();
        ReadError::Field {
            field: match path.iter().next() {
                Some(_) => shortened(&path.to_string()),
                None => "(whole file)".to_owned(),
            },
            problem: shortened(&error.inner().to_string()),
        }
    })
}

/// What is read from an object only; a derived reader takes an array of its fields, too.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = T;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, fields: A) -> Result<T, A::Error> {
                T::deserialize(MapAccessDeserializer::new(fields))
            }
        }

        deserializer.deserialize_map(Fields(PhantomData)).map(Self)
    }
}

/// A number; JSON has none that are not finite, so those are strings.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "Value")]
pub(crate) struct Number(pub(crate) f64);

impl TryFrom<Value> for Number {
    type Error = String;

    fn try_from(value: Value) -> Result<Self, String> {
        match value.as_str() {
            Some("NaN") => Some(f64::NAN),
            Some("Infinity") => Some(f64::INFINITY),
            Some("-Infinity") => Some(f64::NEG_INFINITY),
            _ => value.as_f64(),
        }
        .map(Self)
        .ok_or_else(|| mismatch("a number, \"NaN\", \"Infinity\" or \"-Infinity\"", &value))
    }
}

/// A point or a velocity.
pub(crate) type Triple = [Number; 3];

pub(crate) fn vector<V: From<Vector3<f64>>>(triple: Triple) -> V {
    Vector3::from(triple.map(|Number(number)| number)).into()
}

/// Points or velocities.
pub(crate) struct Vectors<V>(pub(crate) Vec<V>);

impl<'de, V: From<Vector3<f64>>> Deserialize<'de> for Vectors<V> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        vectors(deserializer).map(Self)
    }
}

/// Reads points or velocities.
pub(crate) fn vectors<'de, V: From<Vector3<f64>>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<V>, D::Error> {
    let triples = Vec::<Triple>::deserialize(deserializer)?;
    Ok(triples.into_iter().map(vector).collect())
}

/// Reads weights or knots.
pub(crate) fn numbers<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
    Vec::deserialize(deserializer).map(plain)
}

pub(crate) fn plain(numbers: Vec<Number>) -> Vec<f64> {
    numbers.into_iter().map(|Number(number)| number).collect()
}

/// What an error says of a value that is something else than it should be.
pub(crate) fn mismatch(expected: &str, found: &Value) -> String {
    let found = shown(found.to_string().as_bytes());
    format!("{expected} expected, but it is {found}")
}
