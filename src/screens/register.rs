//! The register: who was invited, who holds a pass, who does no more.
//!
//! Pure. Every change is an [`Admission`], journalled like any input; folding them gives the register again. It knows
//! seals, never codes or cookies.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{
    asker::{Badge, Role},
    secret::{Seal, as_typed},
};

/// How long a code can be used. Long enough to walk to the last screen of a hall, too short to lie about.
pub(super) const CODE_LIVES_MS: u64 = 60 * 60 * 1000;
/// Passes there are at most, revoked ones aside: nobody counts further, and a mistake in a script stops here.
const MOST: usize = 10_000;

/// A change at the doors. The games know nothing of it; it stands in the hall's journal among the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "input", rename_all = "snake_case")]
pub enum Admission {
    /// Somebody may come, once, who knows the code.
    Invited {
        /// The number of the pass they will get.
        pass: u32,
        /// As what.
        role: Role,
        /// Who, or which screen.
        name: String,
        /// Of the code.
        seal: Seal,
        /// Until when, by the wall's clock, in milliseconds since 1970.
        until: u64,
    },
    /// They came. The code opens nothing any more.
    Entered {
        /// The number of their pass.
        pass: u32,
        /// Of their cookie.
        seal: Seal,
        /// When, by the wall's clock, in milliseconds since 1970. Journals of older builds do not say.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        at: Option<u64>,
    },
    /// Their pass opens nothing any more.
    Revoked {
        /// Its number.
        pass: u32,
    },
}

/// All passes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Register {
    passes: BTreeMap<u32, Pass>,
    /// Which seal is whose, codes and cookies alike.
    seals: BTreeMap<Seal, u32>,
    last: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Pass {
    role: Role,
    name: String,
    stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Stage {
    Invited { code: Seal, until: u64 },
    In { cookie: Seal, since: Option<u64> },
}

/// A pass as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Listed {
    pass: u32,
    role: Role,
    name: String,
    /// They hold a cookie; otherwise their code waits for them.
    entered: bool,
    /// Since when, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    since: Option<u64>,
    /// Until when the code can be used.
    #[serde(skip_serializing_if = "Option::is_none")]
    until: Option<u64>,
}

impl Register {
    /// Takes in a change, as it happens or as the journal tells it.
    pub fn apply(&mut self, admission: &Admission) {
        match admission {
            Admission::Invited { pass, role, name, seal, until } => {
                self.last = self.last.max(*pass);
                let stage = Stage::Invited { code: seal.clone(), until: *until };
                self.seals.insert(seal.clone(), *pass);
                self.passes.insert(*pass, Pass { role: *role, name: name.clone(), stage });
            }
            Admission::Entered { pass, seal, at } => {
                let Some(known) = self.passes.get_mut(pass) else { return };
                let before = std::mem::replace(&mut known.stage, Stage::In { cookie: seal.clone(), since: *at });
                self.seals.remove(before.seal());
                self.seals.insert(seal.clone(), *pass);
            }
            Admission::Revoked { pass } => {
                let Some(gone) = self.passes.remove(pass) else { return };
                self.seals.remove(gone.stage.seal());
            }
        }
    }

    /// Invites somebody: the change that does it, or why not.
    pub(super) fn invite(&mut self, role: Role, name: &str, code: &str, now: u64) -> Result<Admission, String> {
        self.forget_old_codes(now);
        if self.passes.len() >= MOST {
            return Err("There are 10,000 passes. Revoke those nobody uses: `escaque doors` lists them.".to_owned());
        }
        let name = name_of(role, name)?;
        let seal = Seal::of(&as_typed(code));
        let invited = Admission::Invited { pass: self.last + 1, role, name, seal, until: now + CODE_LIVES_MS };
        self.apply(&invited);
        Ok(invited)
    }

    /// Lets in who knows the code: the change that does it, and as whom they are known from here on.
    pub(super) fn enter(&mut self, code: &str, cookie: &str, now: u64) -> Option<(Admission, Badge)> {
        let pass = *self.seals.get(&Seal::of(&as_typed(code)))?;
        let known = self.passes.get(&pass)?;
        let Stage::Invited { until, .. } = known.stage else { return None };
        if until < now {
            return None;
        }
        let badge = Badge { pass, role: known.role, name: known.name.clone() };
        let entered = Admission::Entered { pass, seal: Seal::of(cookie), at: Some(now) };
        self.apply(&entered);
        Some((entered, badge))
    }

    /// Takes a pass or an invitation back; `None` if there is no such pass.
    pub(super) fn revoke(&mut self, pass: u32) -> Option<Admission> {
        self.passes.get(&pass)?;
        let revoked = Admission::Revoked { pass };
        self.apply(&revoked);
        Some(revoked)
    }

    /// Whose cookie this is.
    pub(super) fn holder(&self, cookie: &str) -> Option<Badge> {
        let pass = *self.seals.get(&Seal::of(cookie))?;
        let known = self.passes.get(&pass)?;
        matches!(known.stage, Stage::In { .. }).then(|| Badge { pass, role: known.role, name: known.name.clone() })
    }

    /// Whether the pass opens anything still.
    pub(super) fn stands(&self, pass: u32) -> bool {
        self.passes.contains_key(&pass)
    }

    /// All passes and invitations that stand, those that were made last first: it is they that are looked for.
    pub(super) fn list(&mut self, now: u64) -> Vec<Listed> {
        self.forget_old_codes(now);
        let listed = |(number, pass): (&u32, &Pass)| {
            let (until, since) = match pass.stage {
                Stage::Invited { until, .. } => (Some(until), None),
                Stage::In { since, .. } => (None, since),
            };
            Listed { pass: *number, role: pass.role, name: pass.name.clone(), entered: until.is_none(), since, until }
        };
        self.passes.iter().rev().map(listed).collect()
    }

    fn forget_old_codes(&mut self, now: u64) {
        let is_over = |pass: &Pass| matches!(pass.stage, Stage::Invited { until, .. } if until < now);
        let over = self.passes.iter().filter(|(_, pass)| is_over(pass)).map(|(number, _)| *number);
        for pass in over.collect::<Vec<_>>() {
            self.apply(&Admission::Revoked { pass });
        }
    }
}

impl Stage {
    fn seal(&self) -> &Seal {
        match self {
            Stage::Invited { code: seal, .. } | Stage::In { cookie: seal, .. } => seal,
        }
    }
}

/// A name somebody recognises in a list; the role where none is given.
fn name_of(role: Role, name: &str) -> Result<String, String> {
    let name = name.trim();
    if name.chars().count() > 60 || name.chars().any(char::is_control) {
        return Err("A name has 60 letters at most and fits on one line, as in \"Screen at the door\".".to_owned());
    }
    Ok(if name.is_empty() { role.to_string() } else { name.to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: u64 = 1_000;

    #[test]
    fn a_code_lets_in_once_and_the_cookie_from_then_on() {
        let mut register = Register::default();
        register.invite(Role::Arbiter, "Anna", "ABCD-EFGH", NOW).expect("a good name");
        assert_eq!(register.holder("ABCDEFGH"), None, "a code is no cookie");
        let (_, badge) = register.enter("abcd efgh", "cookie", NOW).expect("the code is good");
        assert_eq!((badge.role, badge.name.as_str()), (Role::Arbiter, "Anna"));
        assert_eq!(register.holder("cookie"), Some(badge));
        assert_eq!(register.enter("ABCD-EFGH", "another", NOW), None, "once");
    }

    #[test]
    fn the_newest_pass_is_listed_first_and_each_says_since_when() {
        let mut register = Register::default();
        register.invite(Role::Hall, "left", "ABCD", NOW).expect("a good name");
        register.enter("ABCD", "cookie", NOW + 7).expect("the code is good");
        register.invite(Role::Hall, "right", "EFGH", NOW).expect("a good name");
        let told = |listed: &Listed| (listed.pass, listed.since, listed.until);
        let listed = register.list(NOW).iter().map(told).collect::<Vec<_>>();
        assert_eq!(listed, [(2, None, Some(NOW + CODE_LIVES_MS)), (1, Some(NOW + 7), None)]);
    }

    #[test]
    fn an_entry_of_an_older_build_has_no_time() {
        let row = serde_json::json!({ "input": "entered", "pass": 1, "seal": Seal::of("cookie") });
        let Admission::Entered { at, .. } = serde_json::from_value(row).expect("it reads") else { panic!("an entry") };
        assert_eq!(at, None);
    }

    #[test]
    fn a_code_nobody_used_in_an_hour_opens_nothing() {
        let mut register = Register::default();
        register.invite(Role::Hall, "", "ABCD", NOW).expect("a good name");
        assert_eq!(register.enter("ABCD", "cookie", NOW + CODE_LIVES_MS + 1), None);
        assert_eq!(register.list(NOW + CODE_LIVES_MS + 1), []);
    }

    #[test]
    fn a_revoked_pass_opens_nothing_and_its_number_is_not_used_again() {
        let mut register = Register::default();
        register.invite(Role::Hall, "left", "ABCD", NOW).expect("a good name");
        register.enter("ABCD", "cookie", NOW).expect("the code is good");
        assert!(register.stands(1));
        register.revoke(1).expect("it is there");
        assert_eq!((register.holder("cookie"), register.stands(1)), (None, false));
        let again = register.invite(Role::Hall, "right", "EFGH", NOW).expect("a good name");
        assert!(matches!(again, Admission::Invited { pass: 2, .. }));
    }

    #[test]
    fn folding_what_was_journalled_gives_the_same_register() {
        let mut register = Register::default();
        let journal = [
            register.invite(Role::Hall, "left", "ABCD", NOW).expect("a good name"),
            register.enter("ABCD", "cookie", NOW).expect("the code is good").0,
            register.invite(Role::Operator, "", "EFGH", NOW).expect("a good name"),
            register.revoke(2).expect("it is there"),
        ];
        let mut folded = Register::default();
        for admission in journal {
            let row = serde_json::to_string(&admission).expect("plain data");
            assert!(!row.contains("cookie") && !row.contains("ABCD"), "{row}");
            folded.apply(&serde_json::from_str(&row).expect("it reads back"));
        }
        assert_eq!(folded, register);
    }

    #[test]
    fn wrong_codes_leave_no_trace() {
        let mut register = Register::default();
        register.invite(Role::Hall, "", "ABCD", NOW).expect("a good name");
        let before = register.clone();
        for guess in 0..1_000 {
            assert_eq!(register.enter(&format!("{guess:016}"), "cookie", NOW), None);
        }
        assert_eq!(register, before);
    }
}
