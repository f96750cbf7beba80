//! Who asks: the listener they came by, and behind it the role they showed. The listener counts first: no cookie and no
//! token makes anybody more than the listener lets in.

use std::fmt;

use protocol::feed::{Audience, Staff};
use serde::{Deserialize, Serialize};

/// What a connection arrived at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Listener {
    /// This machine speaking to itself: whoever is logged in here is in the hall.
    Loopback,
    /// The hall's network, encrypted.
    Lan,
    /// The hall's network in the clear, for screens that know no encryption: anybody on it can listen in.
    LanPlain,
    /// Spectators, and never anything more.
    Public,
}

impl Listener {
    /// All of them.
    pub const ALL: [Listener; 4] = [Listener::Loopback, Listener::Lan, Listener::LanPlain, Listener::Public];

    /// The option of `serve` that opens it.
    pub fn option(self) -> &'static str {
        match self {
            Listener::Loopback => "--listen",
            Listener::Lan => "--lan",
            Listener::LanPlain => "--lan-plain",
            Listener::Public => "--public",
        }
    }

    /// How many connections one address may have at a time; `None` where only programs of this machine come.
    pub fn crowd(self) -> Option<usize> {
        match self {
            Listener::Loopback => None,
            // A hall may stand behind one address.
            Listener::Lan | Listener::LanPlain => Some(2_000),
            Listener::Public => Some(50),
        }
    }
}

/// What somebody can be invited as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Screens and phones in the playing hall: live.
    Hall,
    /// Who decides.
    Arbiter,
    /// Who looks after the boards.
    Operator,
}

impl Role {
    /// As which audience they see.
    pub fn audience(self) -> Audience {
        match self {
            Role::Hall => Audience::Hall,
            Role::Arbiter => Audience::Arbiter,
            Role::Operator => Audience::Operator,
        }
    }

    /// Which of the staff they are.
    pub fn staff(self) -> Option<Staff> {
        match self {
            Role::Hall => None,
            Role::Arbiter => Some(Staff::Arbiter),
            Role::Operator => Some(Staff::Operator),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Role::Hall => "hall",
            Role::Arbiter => "arbiter",
            Role::Operator => "operator",
        })
    }
}

/// What came with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Shown {
    Nothing,
    /// The operator's token of this installation.
    Token,
    /// Something in the place of a token that is none.
    WrongToken,
    /// A cookie that opens.
    Pass(Badge),
    /// A cookie that opens nothing, or nothing any more.
    DeadPass,
}

/// Who holds a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Badge {
    pub(super) pass: u32,
    pub(super) role: Role,
    pub(super) name: String,
}

/// Who asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Asker {
    /// By the public listener; what they showed was not looked at.
    Spectator,
    /// By a hall listener with nothing to show for it: may show a code.
    Stranger(Listener),
    /// By a hall listener, known: by a pass, by the token, or by sitting at this machine.
    Known(Listener, Role, Option<Badge>),
}

/// Why what was shown is not taken here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Misplaced {
    /// A token that is none.
    WrongToken,
    /// The token of this machine, from another.
    TokenFromAfar,
    /// A pass of the staff where anybody can listen in.
    InTheClear,
}

impl Asker {
    /// Who somebody is who came by `listener` and showed this.
    pub(super) fn of(listener: Listener, shown: Shown) -> Result<Asker, Misplaced> {
        if listener == Listener::Public {
            return Ok(Asker::Spectator);
        }
        match (listener, shown) {
            (_, Shown::WrongToken) => Err(Misplaced::WrongToken),
            (_, Shown::DeadPass) => Ok(Asker::Stranger(listener)),
            (Listener::Loopback, Shown::Nothing) => Ok(Asker::Known(listener, Role::Hall, None)),
            (_, Shown::Nothing) => Ok(Asker::Stranger(listener)),
            (Listener::Loopback, Shown::Token) => Ok(Asker::Known(listener, Role::Operator, None)),
            (_, Shown::Token) => Err(Misplaced::TokenFromAfar),
            (Listener::LanPlain, Shown::Pass(badge)) if badge.role != Role::Hall => Err(Misplaced::InTheClear),
            (_, Shown::Pass(badge)) => Ok(Asker::Known(listener, badge.role, Some(badge))),
        }
    }

    /// The same, seen from a page of somebody else that may show this hall: what the hall sees at most.
    pub(super) fn through_a_foreign_page(self) -> Asker {
        match self {
            Asker::Spectator | Asker::Stranger(_) => self,
            Asker::Known(listener, _, badge) => {
                Asker::Known(listener, Role::Hall, badge.filter(|badge| badge.role == Role::Hall))
            }
        }
    }

    pub(super) fn listener(&self) -> Listener {
        match self {
            Asker::Spectator => Listener::Public,
            Asker::Stranger(listener) | Asker::Known(listener, ..) => *listener,
        }
    }

    /// As which audience they see; `None` for whom nothing is known of.
    pub(super) fn audience(&self) -> Option<Audience> {
        match self {
            Asker::Spectator => Some(Audience::Public),
            Asker::Stranger(_) => None,
            Asker::Known(_, role, _) => Some(role.audience()),
        }
    }

    /// Which of the staff they are.
    pub(super) fn staff(&self) -> Option<Staff> {
        match self {
            Asker::Spectator | Asker::Stranger(_) => None,
            Asker::Known(_, role, _) => role.staff(),
        }
    }

    pub(super) fn pass(&self) -> Option<u32> {
        self.badge().map(|badge| badge.pass)
    }

    pub(super) fn badge(&self) -> Option<&Badge> {
        match self {
            Asker::Known(_, _, badge) => badge.as_ref(),
            Asker::Spectator | Asker::Stranger(_) => None,
        }
    }

    /// Who gives the order, where they may give one.
    pub(super) fn giver(&self) -> Option<Giver> {
        let Asker::Known(_, role, badge) = self else { return None };
        role.staff()?;
        Some(match badge {
            Some(badge) => Giver { role: role.to_string(), pass: Some(badge.pass), name: badge.name.clone() },
            None => Giver { role: role.to_string(), pass: None, name: "operator.token".to_owned() },
        })
    }
}

/// Who gave an order, as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Giver {
    /// `operator`, `arbiter`, or `house` for the daemon itself.
    pub role: String,
    /// The number of their pass.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pass: Option<u32>,
    /// The name they were invited by.
    pub name: String,
}

impl Giver {
    /// The daemon itself.
    pub fn house() -> Giver {
        Giver { role: "house".to_owned(), pass: None, name: "escaque".to_owned() }
    }

    /// A blind player, at the keypad that was given to this player alone.
    pub fn keypad() -> Giver {
        Giver { role: "player".to_owned(), pass: None, name: "keypad".to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pass(role: Role) -> Shown {
        Shown::Pass(Badge { pass: 1, role, name: "Anna".to_owned() })
    }

    #[test]
    fn a_listener_makes_nobody_more_than_it_lets_in() {
        use Listener::{Lan, LanPlain, Loopback, Public};
        // What is shown, and as whom it makes them seen by each listener: `-` for strangers, `!` for refused.
        let rows = [
            (Shown::Nothing, "hall - - public"),
            (Shown::Token, "operator ! ! public"),
            (Shown::WrongToken, "! ! ! public"),
            (Shown::DeadPass, "- - - public"),
            (pass(Role::Hall), "hall hall hall public"),
            (pass(Role::Arbiter), "arbiter arbiter ! public"),
            (pass(Role::Operator), "operator operator ! public"),
        ];
        for (shown, expected) in rows {
            let seen = [Loopback, Lan, LanPlain, Public].map(|listener| match Asker::of(listener, shown.clone()) {
                Err(_) => "!",
                Ok(asker) => match asker.audience() {
                    None => "-",
                    Some(Audience::Public) => "public",
                    Some(Audience::Hall) => "hall",
                    Some(Audience::Arbiter) => "arbiter",
                    Some(Audience::Operator) => "operator",
                },
            });
            assert_eq!(seen.join(" "), expected, "{shown:?}");
        }
    }

    #[test]
    fn a_page_of_somebody_else_sees_the_hall_at_most_and_orders_nothing() {
        let asker = Asker::of(Listener::Loopback, pass(Role::Operator)).expect("a good pass");
        let seen = asker.through_a_foreign_page();
        assert_eq!((seen.audience(), seen.giver()), (Some(Audience::Hall), None));
    }

    #[test]
    fn an_order_names_who_gave_it() {
        let giver = |shown| Asker::of(Listener::Loopback, shown).expect("good").giver();
        assert_eq!(giver(Shown::Nothing), None);
        assert_eq!(giver(pass(Role::Hall)), None);
        assert_eq!(giver(Shown::Token).map(|giver| giver.name), Some("operator.token".to_owned()));
        let anna = giver(pass(Role::Arbiter)).expect("an arbiter orders");
        assert_eq!((anna.role.as_str(), anna.pass, anna.name.as_str()), ("arbiter", Some(1), "Anna"));
    }
}
