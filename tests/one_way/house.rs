//! The house as it is written: every file outside the tests, what it defines, and which files it names.
//!
//! Names are followed as the compiler follows them, through `use` and through re-exports to the file that defines them.
//! That takes a parser: braces, strings and macros defeat anything simpler sooner or later.

#![expect(clippy::wildcard_enum_match_arm, reason = "of all that Rust can say, few things matter here")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use syn::{
    Attribute, File, ImplItemFn, Item, ItemFn, ItemImpl, ItemMod, ItemUse, Macro, UseTree, Visibility,
    visit::{self, Visit},
};

/// The crates of the workspace and where each begins.
const CRATES: [(&str, &str); 5] = [
    ("laws", "laws/src/lib.rs"),
    ("protocol", "protocol/src/lib.rs"),
    ("pairings", "pairings/src/lib.rs"),
    ("hall", "hall/src/lib.rs"),
    ("escaque", "src/lib.rs"),
];

/// A path of names, the crate first.
pub(crate) type Names = Vec<String>;

pub(crate) struct House {
    sources: BTreeMap<Names, Source>,
}

/// One file, which is one module.
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
    /// What stands in it at the top.
    defines: BTreeSet<String>,
    imports: Vec<Import>,
    /// Every path with two names or more.
    paths: BTreeSet<Names>,
}

struct Import {
    path: Names,
    /// What the file calls it; `*` for all that is there.
    called: String,
    /// A re-export is a door and no use of what stands behind it.
    is_door: bool,
}

impl House {
    /// Reads what the crates declare, from their first file on; what is declared for tests only is left out.
    pub(crate) fn read() -> House {
        let mut house = House { sources: BTreeMap::new() };
        for (name, path) in CRATES {
            house.enter(vec![name.to_owned()], Path::new(path));
        }
        house
    }

    /// A house of these files, for the tests of the scan itself.
    pub(crate) fn of(files: &[(&str, &str)]) -> House {
        let module = |path: &str| path.split("::").map(str::to_owned).collect::<Names>();
        let source = |(path, text): &(&str, &str)| (module(path), Source::of(PathBuf::from(path), text));
        House { sources: files.iter().map(source).collect() }
    }

    pub(crate) fn sources(&self) -> impl Iterator<Item = (&Names, &Source)> {
        self.sources.iter()
    }

    pub(crate) fn path(&self, module: &[String]) -> &Path {
        &self.sources[module].path
    }

    /// The files whose definitions this one names, each with the names.
    pub(crate) fn named_by(&self, module: &Names) -> BTreeMap<&Names, BTreeSet<String>> {
        let source = &self.sources[module];
        let imports = source.imports.iter().filter(|import| !import.is_door).map(|import| &import.path);
        let mut named = BTreeMap::<&Names, BTreeSet<String>>::new();
        for path in imports.chain(&source.paths) {
            if let Some((file, name)) = self.definition(module, path)
                && file != module
            {
                named.entry(file).or_default().insert(name);
            }
        }
        named
    }

    /// Where the thing is defined that a file means by this path, and its name there.
    pub(crate) fn definition(&self, module: &Names, path: &[String]) -> Option<(&Names, String)> {
        self.follow(&self.absolute(module, path, &mut BTreeSet::new())?, &mut BTreeSet::new())
    }

    /// From the crate on. Names of other people's crates lead nowhere, as do those that need no path.
    fn absolute(&self, module: &[String], path: &[String], asked: &mut BTreeSet<String>) -> Option<Names> {
        let (first, rest) = path.split_first()?;
        let from = |base: &[String]| Some([base, rest].concat());
        match first.as_str() {
            "crate" => from(&module[..1]),
            "self" => from(module),
            "super" if rest.first().is_some_and(|next| next == "super") => {
                self.absolute(module.split_last()?.1, rest, asked)
            }
            "super" => from(module.split_last()?.1),
            _ if self.sources.contains_key(&[module, &path[..1]].concat()) => Some([module, path].concat()),
            _ if !asked.insert(first.clone()) => None,
            _ => match self.sources[module].imports.iter().find(|import| import.called == *first) {
                Some(import) => Some([&self.absolute(module, &import.path, asked)?, rest].concat()),
                None if CRATES.iter().any(|(name, _)| name == first) => Some(path.to_vec()),
                None => self.sources[module].defines.contains(first).then(|| [module, path].concat()),
            },
        }
    }

    /// Through every door on the way, to the file that defines the next name. A module by itself is no definition.
    fn follow(&self, path: &[String], doors: &mut BTreeSet<Names>) -> Option<(&Names, String)> {
        let depth = (1..=path.len()).rev().find(|depth| self.sources.contains_key(&path[..*depth]))?;
        let (module, rest) = path.split_at(depth);
        let (module, source) = self.sources.get_key_value(module)?;
        let (name, rest) = rest.split_first()?;
        if source.defines.contains(name) {
            return Some((module, name.clone()));
        }
        if !doors.insert([module.as_slice(), std::slice::from_ref(name)].concat()) {
            return None;
        }
        source.imports.iter().filter(|import| import.called == *name || import.called == "*").find_map(|import| {
            let behind = self.absolute(module, &import.path, &mut BTreeSet::new())?;
            let tail = if import.called == "*" { [std::slice::from_ref(name), rest].concat() } else { rest.to_vec() };
            self.follow(&[behind, tail].concat(), doors)
        })
    }

    fn enter(&mut self, module: Names, path: &Path) {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = fs::read_to_string(root.join(path)).expect("a declared file is in the tree");
        let source = Source::of(path.to_owned(), &text);
        let folder = folder_of(path);
        for name in source.declared() {
            let files = [folder.join(format!("{name}.rs")), folder.join(&name).join("mod.rs")];
            let file = files.iter().find(|file| root.join(file).is_file()).expect("a declared module has a file");
            self.enter([module.as_slice(), &[name]].concat(), file);
        }
        self.sources.insert(module, source);
    }
}

impl Source {
    fn of(path: PathBuf, text: &str) -> Source {
        let file = syn::parse_file(text).unwrap_or_else(|cause| panic!("{}: {cause}", path.display()));
        let mut reading = Reading::default();
        reading.visit_file(&file);
        let defines = file.items.iter().filter_map(defined).collect();
        Source { path, file, defines, imports: reading.imports, paths: reading.paths }
    }

    /// The modules that are files of their own.
    fn declared(&self) -> Vec<String> {
        let inner =
            self.file.items.iter().filter_map(|item| if let Item::Mod(inner) = item { Some(inner) } else { None });
        let declared = inner.filter(|inner| inner.content.is_none() && !is_for_tests(&inner.attrs));
        declared.map(|inner| inner.ident.to_string()).collect()
    }
}

/// Where the files of a module's inner modules lie.
fn folder_of(path: &Path) -> PathBuf {
    match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("lib" | "mod") => path.with_file_name(""),
        _ => path.with_extension(""),
    }
}

fn defined(item: &Item) -> Option<String> {
    let ident = match item {
        Item::Const(item) => &item.ident,
        Item::Enum(item) => &item.ident,
        Item::Fn(item) => &item.sig.ident,
        Item::Macro(item) => item.ident.as_ref()?,
        Item::Static(item) => &item.ident,
        Item::Struct(item) => &item.ident,
        Item::Trait(item) => &item.ident,
        Item::Type(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

/// `#[cfg(test)]` and `#[test]`.
pub(crate) fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_asked = |list: &syn::MetaList| list.tokens.to_string() == "test";
        attribute.path().is_ident("test")
            || attribute.path().is_ident("cfg") && attribute.meta.require_list().is_ok_and(is_asked)
    })
}

#[derive(Default)]
struct Reading {
    imports: Vec<Import>,
    paths: BTreeSet<Names>,
}

impl Reading {
    fn import(&mut self, before: &[String], tree: &UseTree, is_door: bool) {
        let with = |name: &syn::Ident| [before, &[name.to_string()]].concat();
        let (path, called) = match tree {
            UseTree::Path(inner) => return self.import(&with(&inner.ident), &inner.tree, is_door),
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.import(before, tree, is_door)),
            // `{self, …}` brings the module itself.
            UseTree::Name(name) if name.ident == "self" => (before.to_vec(), before.last().cloned()),
            UseTree::Name(name) => (with(&name.ident), Some(name.ident.to_string())),
            UseTree::Rename(renamed) => (with(&renamed.ident), Some(renamed.rename.to_string())),
            UseTree::Glob(_) => (before.to_vec(), Some("*".to_owned())),
        };
        self.imports.extend(called.map(|called| Import { path, called, is_door }));
    }
}

impl<'a> Visit<'a> for Reading {
    fn visit_item_use(&mut self, item: &'a ItemUse) {
        if !is_for_tests(&item.attrs) {
            self.import(&[], &item.tree, !matches!(item.vis, Visibility::Inherited));
        }
    }

    fn visit_path(&mut self, path: &'a syn::Path) {
        if path.segments.len() > 1 {
            self.paths.insert(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        visit::visit_path(self, path);
    }

    /// What a macro is given is not parsed: paths are picked out of its words.
    fn visit_macro(&mut self, called: &'a Macro) {
        let text = called.tokens.to_string().split_whitespace().collect::<Vec<_>>().join(" ").replace(" :: ", "::");
        let words = text.split(|sign: char| !sign.is_alphanumeric() && sign != '_' && sign != ':');
        let paths = words.filter(|word| word.contains("::"));
        self.paths.extend(paths.map(|path| path.split("::").map(str::to_owned).collect::<Names>()));
        visit::visit_macro(self, called);
    }

    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_fn(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_impl(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            visit::visit_impl_item_fn(self, item);
        }
    }
}
