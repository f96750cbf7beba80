//! Which files change what is in a struct, as far as that can be told from what is written.

#![expect(clippy::wildcard_enum_match_arm, reason = "of all that Rust can say, few things matter here")]

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    BinOp, Expr, ExprAssign, ExprBinary, ExprForLoop, ExprLet, ExprMatch, ExprMethodCall, ExprReference, FnArg,
    ImplItemFn, ItemFn, ItemImpl, ItemMod, Local, Member, Pat, PatIdent, PatStruct, Token,
    punctuated::Punctuated,
    visit::{self, Visit},
};

use super::{
    house::{House, Names, is_for_tests},
    structs::{Owner, Structs, in_the_hall},
};

/// How a field is changed by what is not ours.
const CHANGING: [&str; 60] = [
    "and_modify",
    "append",
    "as_deref_mut",
    "as_mut",
    "as_mut_slice",
    "clear",
    "clone_from",
    "dedup",
    "dedup_by_key",
    "discard",
    "discard_piece_at",
    "drain",
    "entry",
    "extend",
    "extend_from_slice",
    "fill",
    "first_mut",
    "get_mut",
    "get_or_insert",
    "get_or_insert_default",
    "get_or_insert_with",
    "insert",
    "iter_mut",
    "last_mut",
    "play_unchecked",
    "pop",
    "pop_back",
    "pop_first",
    "pop_front",
    "pop_if",
    "push",
    "push_back",
    "push_front",
    "push_str",
    "remove",
    "remove_piece_at",
    "replace",
    "resize",
    "retain",
    "retain_mut",
    "reverse",
    "rotate_left",
    "rotate_right",
    "set_piece_at",
    "set_to",
    "sort",
    "sort_by",
    "sort_by_cached_key",
    "sort_by_key",
    "sort_unstable",
    "sort_unstable_by",
    "sort_unstable_by_key",
    "splice",
    "swap",
    "swap_remove",
    "take",
    "take_if",
    "toggle",
    "truncate",
    "values_mut",
];

/// Every struct of the hall, and the files that change its fields.
pub(crate) fn changes(house: &House) -> BTreeMap<Owner, BTreeSet<String>> {
    let structs = Structs::of(house);
    let mut changes = BTreeMap::<Owner, BTreeSet<String>>::new();
    for (module, source) in in_the_hall(house) {
        let mut reading =
            Reading { house, structs: &structs, module, this: None, known: BTreeMap::new(), changed: BTreeSet::new() };
        reading.visit_file(&source.file);
        for owner in reading.changed {
            changes.entry(owner).or_default().insert(source.path.display().to_string());
        }
    }
    changes
}

/// One file, read from top to bottom.
struct Reading<'a> {
    house: &'a House,
    structs: &'a Structs,
    module: &'a Names,
    /// What `self` is.
    this: Option<Owner>,
    /// What parameters and variables are, as far as that can be told.
    known: BTreeMap<String, Owner>,
    changed: BTreeSet<Owner>,
}

impl Reading<'_> {
    /// The struct that an expression is, or leads into.
    fn owner(&self, expr: &Expr) -> Option<Owner> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident()?.to_string();
                if name == "self" { self.this.clone() } else { self.known.get(&name).cloned() }
            }
            Expr::Field(field) => {
                let Member::Named(name) = &field.member else { return None };
                let holder = self.holder(&field.base, &name.to_string())?;
                let ty = self.structs.fields.get(&holder)?.get(&name.to_string())?;
                self.structs.named(self.house, &holder.0, ty)
            }
            Expr::MethodCall(call) => self.owner(&call.receiver),
            Expr::Reference(reference) => self.owner(&reference.expr),
            Expr::Paren(paren) => self.owner(&paren.expr),
            Expr::Index(index) => self.owner(&index.expr),
            Expr::Unary(unary) => self.owner(&unary.expr),
            Expr::Try(tried) => self.owner(&tried.expr),
            _ => None,
        }
    }

    fn holder(&self, base: &Expr, field: &str) -> Option<Owner> {
        let has = |owner: &Owner| self.structs.fields.get(owner).is_some_and(|fields| fields.contains_key(field));
        match self.owner(base) {
            Some(owner) => has(&owner).then_some(owner),
            None => self.structs.holder_of(field),
        }
    }

    /// Something happens to this place: whose field is it?
    fn change(&mut self, place: &Expr) {
        match place {
            Expr::Field(field) => {
                if let Member::Named(name) = &field.member
                    && let Some(holder) = self.holder(&field.base, &name.to_string())
                {
                    self.changed.insert(holder);
                }
            }
            Expr::Index(index) => self.change(&index.expr),
            Expr::Paren(paren) => self.change(&paren.expr),
            Expr::Unary(unary) => self.change(&unary.expr),
            Expr::Tuple(tuple) => tuple.elems.iter().for_each(|place| self.change(place)),
            _ => {}
        }
    }

    /// The first name of a pattern is taken for what the expression leads into.
    fn bind(&mut self, pattern: &Pat, expr: &Expr) {
        let owner = self.owner(expr);
        if let (Pat::Struct(parts), Some(owner)) = (pattern, &owner)
            && self.structs.fields.contains_key(owner)
        {
            return self.bind_parts(parts, owner);
        }
        let mut names = Bound::default();
        names.visit_pat(pattern);
        for name in names.0 {
            match &owner {
                Some(owner) => self.known.insert(name, owner.clone()),
                None => self.known.remove(&name),
            };
        }
    }

    /// What a struct is taken apart into are its fields.
    fn bind_parts(&mut self, parts: &PatStruct, owner: &Owner) {
        for part in &parts.fields {
            let (Member::Named(field), Pat::Ident(name)) = (&part.member, &*part.pat) else { continue };
            let ty = self.structs.fields[owner].get(&field.to_string());
            match ty.and_then(|ty| self.structs.named(self.house, &owner.0, ty)) {
                Some(of_the_field) => self.known.insert(name.ident.to_string(), of_the_field),
                None => self.known.remove(&name.ident.to_string()),
            };
        }
    }

    fn inside(&mut self, inputs: &Punctuated<FnArg, Token![,]>, read: impl FnOnce(&mut Self)) {
        let before = std::mem::take(&mut self.known);
        for input in inputs {
            if let FnArg::Typed(typed) = input
                && let Pat::Ident(name) = &*typed.pat
                && let Some(owner) = self.structs.named(self.house, self.module, &typed.ty)
            {
                self.known.insert(name.ident.to_string(), owner);
            }
        }
        read(self);
        self.known = before;
    }
}

impl<'a> Visit<'a> for Reading<'_> {
    fn visit_item_mod(&mut self, item: &'a ItemMod) {
        if !is_for_tests(&item.attrs) {
            visit::visit_item_mod(self, item);
        }
    }

    fn visit_item_impl(&mut self, item: &'a ItemImpl) {
        if is_for_tests(&item.attrs) {
            return;
        }
        self.this = self.structs.named(self.house, self.module, &item.self_ty);
        visit::visit_item_impl(self, item);
        self.this = None;
    }

    fn visit_item_fn(&mut self, item: &'a ItemFn) {
        if !is_for_tests(&item.attrs) {
            self.inside(&item.sig.inputs, |reading| visit::visit_item_fn(reading, item));
        }
    }

    fn visit_impl_item_fn(&mut self, item: &'a ImplItemFn) {
        if !is_for_tests(&item.attrs) {
            self.inside(&item.sig.inputs, |reading| visit::visit_impl_item_fn(reading, item));
        }
    }

    fn visit_local(&mut self, local: &'a Local) {
        visit::visit_local(self, local);
        if let Some(init) = &local.init {
            self.bind(&local.pat, &init.expr);
        }
    }

    fn visit_expr_let(&mut self, expr: &'a ExprLet) {
        visit::visit_expr_let(self, expr);
        self.bind(&expr.pat, &expr.expr);
    }

    fn visit_expr_for_loop(&mut self, expr: &'a ExprForLoop) {
        self.bind(&expr.pat, &expr.expr);
        visit::visit_expr_for_loop(self, expr);
    }

    fn visit_expr_match(&mut self, expr: &'a ExprMatch) {
        self.visit_expr(&expr.expr);
        for arm in &expr.arms {
            self.bind(&arm.pat, &expr.expr);
            self.visit_arm(arm);
        }
    }

    fn visit_expr_assign(&mut self, expr: &'a ExprAssign) {
        self.change(&expr.left);
        visit::visit_expr_assign(self, expr);
    }

    fn visit_expr_binary(&mut self, expr: &'a ExprBinary) {
        let assigns = matches!(
            expr.op,
            BinOp::AddAssign(_)
                | BinOp::SubAssign(_)
                | BinOp::MulAssign(_)
                | BinOp::DivAssign(_)
                | BinOp::RemAssign(_)
                | BinOp::BitXorAssign(_)
                | BinOp::BitAndAssign(_)
                | BinOp::BitOrAssign(_)
                | BinOp::ShlAssign(_)
                | BinOp::ShrAssign(_)
        );
        if assigns {
            self.change(&expr.left);
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_reference(&mut self, expr: &'a ExprReference) {
        if expr.mutability.is_some() {
            self.change(&expr.expr);
        }
        visit::visit_expr_reference(self, expr);
    }

    fn visit_expr_method_call(&mut self, call: &'a ExprMethodCall) {
        let method = call.method.to_string();
        let is_verb = || {
            self.owner(&call.receiver)
                .is_some_and(|owner| self.structs.verbs.get(&owner).is_some_and(|verbs| verbs.contains(&method)))
        };
        if CHANGING.contains(&method.as_str()) && !is_verb() {
            self.change(&call.receiver);
        }
        // What a closure is given comes out of what it is called on.
        for given in &call.args {
            if let Expr::Closure(closure) = given {
                closure.inputs.iter().for_each(|pattern| self.bind(pattern, &call.receiver));
            }
        }
        visit::visit_expr_method_call(self, call);
    }
}

/// The names a pattern binds.
#[derive(Default)]
struct Bound(Vec<String>);

impl<'a> Visit<'a> for Bound {
    fn visit_pat_ident(&mut self, pattern: &'a PatIdent) {
        self.0.push(pattern.ident.to_string());
        visit::visit_pat_ident(self, pattern);
    }
}
