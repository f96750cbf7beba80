//! What the structs of the hall hold, and which verbs they have.

#![expect(clippy::wildcard_enum_match_arm, reason = "of all that Rust can say, few things matter here")]

use std::collections::{BTreeMap, BTreeSet};

use syn::{Fields, GenericArgument, ImplItem, Item, PathArguments, Type};

use super::house::{House, Names, Source};

/// A struct by the file that defines it and its name.
pub(crate) type Owner = (Names, String);

/// The structs of the hall and the types of their fields.
pub(crate) struct Structs {
    pub(crate) fields: BTreeMap<Owner, BTreeMap<String, Type>>,
    /// The methods of each type that is defined in the hall.
    pub(crate) verbs: BTreeMap<Owner, BTreeSet<String>>,
}

impl Structs {
    pub(crate) fn of(house: &House) -> Structs {
        let mut structs = Structs { fields: BTreeMap::new(), verbs: BTreeMap::new() };
        for (module, source) in in_the_hall(house) {
            for item in &source.file.items {
                if let Item::Struct(item) = item
                    && let Fields::Named(named) = &item.fields
                {
                    let fields = named.named.iter().filter_map(|field| Some((field.ident.as_ref()?, &field.ty)));
                    let fields = fields.map(|(name, ty)| (name.to_string(), ty.clone())).collect();
                    structs.fields.insert((module.clone(), item.ident.to_string()), fields);
                }
            }
        }
        for (module, source) in in_the_hall(house) {
            for item in &source.file.items {
                if let Item::Impl(item) = item
                    && let Some(owner) = structs.named(house, module, &item.self_ty)
                {
                    let verbs = item.items.iter().filter_map(|item| match item {
                        ImplItem::Fn(verb) => Some(verb.sig.ident.to_string()),
                        _ => None,
                    });
                    structs.verbs.entry(owner).or_default().extend(verbs);
                }
            }
        }
        structs
    }

    /// The struct a type means, inside whatever holds it: a reference, an option, a list.
    pub(crate) fn named(&self, house: &House, module: &Names, ty: &Type) -> Option<Owner> {
        match ty {
            Type::Reference(reference) => self.named(house, module, &reference.elem),
            Type::Array(array) => self.named(house, module, &array.elem),
            Type::Slice(slice) => self.named(house, module, &slice.elem),
            Type::Path(path) => {
                let names = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect::<Names>();
                if let Some((file, name)) = house.definition(module, &names) {
                    let owner = (file.clone(), name);
                    return self.fields.contains_key(&owner).then_some(owner);
                }
                let PathArguments::AngleBracketed(held) = &path.path.segments.last()?.arguments else { return None };
                held.args.iter().rev().find_map(|held| match held {
                    GenericArgument::Type(held) => self.named(house, module, held),
                    _ => None,
                })
            }
            _ => None,
        }
    }

    pub(crate) fn holder_of(&self, field: &str) -> Option<Owner> {
        let mut holders = self.fields.iter().filter(|(_, fields)| fields.contains_key(field));
        let (owner, _) = holders.next()?;
        holders.next().is_none().then(|| owner.clone())
    }
}

pub(crate) fn in_the_hall(house: &House) -> impl Iterator<Item = (&Names, &Source)> {
    house.sources().filter(|(module, _)| module[0] == "hall")
}
