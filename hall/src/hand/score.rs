//! What a line takes for granted, and what that costs.
//!
//! A line foretells for each square what stands there, ply by ply; what was read there is laid beside it, and what one of
//! the two has and the other has not is paid for. So is what hands and presses did out of their order.

use laws::touch::victim;
use shakmaty::{Color, Move, Piece, Role, Square, attacks};

use super::{
    made::{Made, leaves},
    record::becomes,
    scene::{Laid, Scene, Time},
    track::{Came, Gone, Stray, Told, matches},
    weights as w,
};
use crate::{Millis, Settings};

/// One ply of a line, as far as squares and presses have told when it was made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timed {
    pub(super) played: Move,
    pub(super) side: Color,
    pub(super) left: Option<Millis>,
    pub(super) landed: Option<Millis>,
    pub(super) pressed: Option<Millis>,
    /// Where a man of it stopped nothing was read, and what is paid for that.
    pub(super) unread: Option<(Square, i32)>,
    /// A man of it is read still where he left.
    pub(super) stale: Option<Square>,
}

/// A line, what it costs, and what it makes of what was heard.
#[derive(Clone, Debug)]
pub(super) struct Weighed {
    pub(super) moves: Vec<Move>,
    pub(super) cost: i32,
    pub(super) plies: Vec<Timed>,
    /// So much of that one more ply may account for: what was heard after the last one had begun, or a little before, who is
    /// in the air, and what came out of order.
    pub(super) open: i32,
    /// A man stands where the line has none.
    pub(super) stands: bool,
    /// Men that are in the air.
    pub(super) gone: Vec<Gone>,
}

/// A man who has stopped where nothing was read, and when another one has landed there since.
struct Unread {
    square: Square,
    man: Option<Piece>,
    taken_at: Option<Millis>,
}

/// What the squares tell of a line, one after the other.
#[derive(Default)]
struct Telling {
    cost: i32,
    plies: Vec<Timed>,
    strays: Vec<Stray>,
    unread: Vec<Unread>,
    gone: Vec<Gone>,
}

impl Timed {
    fn of(ply: &Made) -> Timed {
        Timed { played: ply.played, side: ply.side, left: None, landed: None, pressed: None, unread: None, stale: None }
    }

    /// Its man was read on the square beside within a scan of leaving: where he stopped, or rested off his way.
    fn jumps(&self, left: Millis, strays: &[Stray], settings: &Settings) -> bool {
        let (Some(from), to, man) = (self.played.from(), self.played.to(), becomes(self.played, self.side)) else {
            return false;
        };
        let at_once = |landed: Millis| landed.abs_diff(left) <= settings.scan_ms;
        let rests = |stray: &Stray| stray.until.is_none_or(|until| until >= stray.since + settings.press_before_ms);
        let aside = |stray: &Stray| {
            let is_he = matches(stray.is, Some(man)) && !attacks::between(from, to).contains(stray.square);
            is_he && rests(stray) && from.distance(stray.square) == 1 && at_once(stray.since)
        };
        from.distance(to) == 1 && self.landed.is_some_and(at_once) || strays.iter().any(aside)
    }
}

impl Telling {
    /// One square has told.
    fn take(&mut self, told: &Told) {
        self.cost += told.cost;
        self.gone.extend(told.gone);
        self.strays.extend(&told.strays);
        for (at, Came { ply, man, is_read, paid, when }) in told.came.iter().enumerate() {
            let timed = &mut self.plies[*ply];
            if man.is_some() {
                timed.landed = timed.landed.max(*when);
                if !is_read {
                    timed.unread = Some((told.square, *paid));
                }
                if !is_read && *paid > w::BLIND {
                    let taken_at = told.came.get(at + 1).and_then(|next| next.when);
                    self.unread.push(Unread { square: told.square, man: *man, taken_at });
                }
            } else if leaves(timed.played, told.square) {
                timed.stale = Some(told.square).filter(|_| told.stale && at + 1 == told.came.len());
                timed.left = [timed.left, *when].into_iter().flatten().min();
            }
        }
    }

    /// A man may have landed before he was read where he stands. Under the reply that is as rare as a man who is moved so
    /// fast, or one that nobody puts right until long after it.
    fn date_landings(&mut self, settings: &Settings) -> i32 {
        let mut cost = 0;
        for at in 0..self.plies.len() {
            if let Some((landed, paid)) = self.landed_sooner(at, settings) {
                self.plies[at].landed = Some(landed);
                cost += paid;
            }
        }
        cost
    }

    /// When the man of a ply landed, if not where he was read there, and what is paid for that: his reading has jumped from
    /// the square beside, or he was put right, or read nowhere, until long after the reply.
    fn landed_sooner(&self, at: usize, settings: &Settings) -> Option<(Millis, i32)> {
        let Timed { played, side, left, landed: Some(landed), .. } = self.plies[at] else { return None };
        let man = becomes(played, side);
        let is_he = |stray: &&Stray| matches(stray.is, Some(man));
        let reply = self.plies.get(at + 1).and_then(|reply| reply.landed);
        let is_answered = |early: Millis| reply.is_some_and(|reply| reply + early < landed);
        let jumps = |until: Millis| until.abs_diff(landed) <= settings.scan_ms;
        let beside = self.strays.iter().filter(is_he).filter(|stray| stray.square.distance(played.to()) == 1);
        let dated = |stray: &&Stray| {
            let put_right = |until| (until..=until + settings.between_squares_ms).contains(&landed);
            stray.until.is_some_and(|until| jumps(until) || put_right(until) && is_answered(w::EARLY_MS))
        };
        if let Some(Stray { since, until, paid, .. }) = beside.clone().find(dated) {
            let cost = match until.is_some_and(jumps) {
                // No hand is so fast: however long he was read there, he stood between the two.
                true if is_answered(0) => w::JUMPED - (paid - w::BESIDE).max(0),
                true => 0,
                false => w::PUT_RIGHT,
            };
            return Some((*since, cost));
        }
        let left = left.filter(|_| is_answered(w::EARLY_MS))?;
        let nowhere = !self.strays.iter().filter(is_he).any(|stray| stray.since >= left);
        nowhere.then_some((left, w::PUT_RIGHT))
    }

    /// A man that is read on the square beside is one thing, not two; and likelier where he is read there until another man
    /// lands on his own.
    fn read_beside(&self, scan: Millis) -> Vec<(Millis, i32)> {
        let saved = |unread: &Unread| {
            let beside = |stray: &&Stray| unread.square.distance(stray.square) == 1 && matches(stray.is, unread.man);
            let stray = self.strays.iter().filter(beside).max_by_key(|stray| stray.paid)?;
            let jumps = stray.until.zip(unread.taken_at).is_some_and(|(until, at)| until.abs_diff(at) <= scan);
            let worth = if jumps { w::READ_BESIDE - w::JUMPS } else { w::READ_BESIDE };
            Some((stray.since, -(w::UNREAD + stray.paid - worth).max(0)))
        };
        self.unread.iter().filter_map(saved).collect()
    }
}

impl Scene<'_> {
    /// What this line costs, with its plies as far as they are timed. Squares tell each for itself. A man that had stood
    /// where a later ply takes him, or before he left, was on the way then, or another one, and so was one that leaves where
    /// the man of a ply had left long before, or before it was answered, if that costs less.
    pub(super) fn cost(&self, laid: &Laid) -> Weighed {
        let each = self.sum(laid);
        let (later, sooner) = self.others(&each);
        // Mostly squares agree on it, and there is nothing to choose.
        if later.iter().chain(&sooner).all(|time| *time == Time::default()) {
            return each;
        }
        let mut least = (each, vec![Time::default(); later.len()]);
        let mut together = vec![later, sooner];
        together.dedup();
        for times in together {
            self.prefer(laid, times, &mut least);
        }
        // One of them may have been made as its squares say all the same.
        for at in 0..least.1.len() {
            let mut times = least.1.clone();
            times[at] = Time::default();
            self.prefer(laid, times, &mut least);
        }
        least.0
    }

    /// If the line costs less with its plies made then, they were.
    fn prefer(&self, laid: &Laid, times: Vec<Time>, least: &mut (Weighed, Vec<Time>)) {
        if times != least.1 {
            let weighed = self.sum(&self.at(laid, &times));
            if weighed.cost < least.0.cost {
                *least = (weighed, times);
            }
        }
    }

    /// When the plies may have been made instead, if squares do not agree on when they were: rather later, or rather sooner.
    fn others(&self, each: &Weighed) -> (Vec<Time>, Vec<Time>) {
        let scans = 2 * self.settings.scan_ms;
        let lands = |reply: &Timed| {
            let made = reply.left.zip(reply.landed);
            made.filter(|(left, landed)| *left <= landed + scans).map(|(_, landed)| landed)
        };
        let replies = each.plies.iter().skip(1).map(lands).chain([None]);
        let mut below = 0;
        let others = each.plies.iter().zip(replies).map(|(ply, answered)| {
            let left = ply.left.unwrap_or(0);
            let after = below.max(left.saturating_sub(scans));
            below = ply.landed.or(ply.left).unwrap_or(0).saturating_sub(w::EARLY_MS);
            let Some(landed) = ply.landed else { return (Time::default(), Time::default()) };
            let is_later = landed < after && self.may_land(ply, after);
            let later = is_later.then(|| Time { lands: (after, Millis::MAX), ..Time::default() });
            let by = [Some(landed + scans), answered].into_iter().flatten().find(|by| *by < left);
            // Where men have no names another one may have landed there since, and nothing have told of him.
            let told_by = ply.pressed.filter(|_| !self.names && ply.played.is_capture());
            let told_by = told_by.map(|pressed| pressed + self.settings.press_after_ms).filter(|by| *by < landed);
            let may_leave = |by: &Millis| {
                let emptied = ply.played.from().and_then(|from| self.track(from).emptied_at(0));
                later.is_none() || emptied.is_some_and(|emptied| emptied <= *by)
            };
            let leaves = by.filter(may_leave).map(|by| Time { leaves: (0, by), ..Time::default() });
            let lands = told_by.map(|by| Time { lands: (0, by), ..Time::default() });
            let sooner = leaves.or(lands);
            (later.or(sooner).unwrap_or_default(), sooner.or(later).unwrap_or_default())
        });
        others.unzip()
    }

    /// What has to be paid for this line, whatever follows it: for all that was read by the time its last ply was completed,
    /// or what no later ply may account for.
    pub(super) fn paid_in(&self, laid: &Laid) -> i32 {
        let Weighed { plies, cost, open, .. } = self.cost(laid);
        let by = plies.last().and_then(|last| last.pressed.max(last.landed)).unwrap_or(0);
        (cost - open).max(laid.told().map(|told| told.paid_by(by)).sum())
    }

    /// The man of this ply was read where he stops after this moment too, or takes one there whose place he need not be read
    /// to take.
    fn may_land(&self, ply: &Timed, after: Millis) -> bool {
        let (man, to) = (becomes(ply.played, ply.side), ply.played.to());
        let replaces = !self.names && victim(ply.played) == Some(to);
        let mut seen = self.track(to).seen.iter();
        ply.played.is_castle() || replaces || seen.any(|seen| seen.at >= after && matches(seen.is, Some(man)))
    }

    fn sum(&self, laid: &Laid) -> Weighed {
        let mut telling = Telling { plies: laid.line.iter().map(Timed::of).collect(), ..Telling::default() };
        laid.told().for_each(|told| telling.take(told));
        let dated = telling.date_landings(self.settings);
        let saved = telling.read_beside(self.settings.scan_ms);
        let mut cost = telling.cost + dated + saved.iter().map(|(_, saved)| saved).sum::<i32>();
        let Telling { mut plies, strays, gone, .. } = telling;
        // What is heard after the last ply has begun, or a little before, one more ply may account for.
        let horizon = self.horizon(&plies);
        let by = horizon.saturating_sub(w::EARLY_MS);
        let later = saved.into_iter().filter(|(at, _)| *at > by).map(|(_, saved)| saved);
        let mut open = telling.cost + later.sum::<i32>() - laid.told().map(|told| told.paid_by(by)).sum::<i32>();
        for man in &gone {
            let more = self.in_air(man, &gone, &plies) - w::IN_AIR;
            cost += more;
            open += more;
        }
        // Who has gone on from where he stopped, or was taken there, is in no hand.
        let stands = |(at, ply): &(usize, &Timed)| {
            let to = ply.played.to();
            plies[at + 1..].iter().all(|later| !leaves(later.played, to) && later.played.to() != to)
        };
        // Nor is one who is read where he has got to.
        let is_read = |ply: &Timed| {
            let man = becomes(ply.played, ply.side);
            strays.iter().any(|stray| stray.until.is_none() && matches(stray.is, Some(man)))
        };
        let in_hand = plies.iter().enumerate().filter(stands);
        let in_hand = in_hand.filter(|(_, ply)| self.is_in_hand(ply.played) && !is_read(ply));
        cost -= in_hand.filter_map(|(_, ply)| ply.unread).map(|(_, paid)| (paid - w::IN_HAND).max(0)).sum::<i32>();
        // Who is read where he left and nowhere else has not left.
        let stays = plies.iter().any(|ply| ply.stale.is_some() && ply.unread.is_some());
        cost += if stays { w::STANDS } else { 0 };
        let assumed = |ply: &&Timed| ply.unread.is_some() || !self.names;
        let under = |ply: &&Timed| ply.played.promotion().is_some_and(|role| role != Role::Queen);
        cost += plies.iter().filter(assumed).filter(under).map(|_| w::UNDERPROMOTED).sum::<i32>();
        if let Some(half) = laid.line.last().filter(|last| last.is_half) {
            plies.pop();
            let squares = half.squares().map(|square| self.track(square).read_at());
            cost += w::HALF_MADE + self.held(squares.flatten().max().unwrap_or(0));
        }
        let (pressed, idle) = self.press(&mut plies, horizon);
        let order = self.order(&plies, &strays);
        cost += order + pressed;
        open += order + idle;
        let stands = stays || strays.iter().any(|stray| stray.until.is_none());
        let moves = plies.iter().map(|ply| ply.played).collect();
        Weighed { moves, cost, open, plies, stands, gone }
    }

    /// When the last ply has begun at the soonest.
    fn horizon(&self, plies: &[Timed]) -> Millis {
        plies.iter().fold(0, |horizon, ply| {
            let leaves = |from| self.track(from).emptied_at(horizon.saturating_sub(w::EARLY_MS));
            let begun = ply.played.from().and_then(leaves).or(ply.left).or(ply.landed);
            begun.map_or(horizon, |begun| begun.max(horizon))
        })
    }

    /// Who has left a moment ago may be in the hand still.
    pub(super) fn is_in_hand(&self, played: Move) -> bool {
        let left = played.from().and_then(|from| self.track(from).left_at());
        left.is_some_and(|left| self.now < left + self.settings.press_after_ms)
    }

    /// A man that should stand there was read, and is gone.
    fn in_air(&self, gone: &Gone, all: &[Gone], plies: &[Timed]) -> i32 {
        let Gone { color, stood, since, .. } = *gone;
        let stood = since.saturating_sub(stood);
        let turn = plies.last().map_or(self.first, |last| !last.side);
        let lets_go = gone.let_go_at(self.settings);
        let pressed = self.presses.iter().find(|(side, at)| *side == color && *at > lets_go);
        // Whoever goes up before the reply has landed has not begun the next ply.
        let begins = color == turn && plies.last().and_then(|last| last.landed).is_none_or(|landed| since >= landed);
        // Where men have no names: he is about to be taken by who is in the air too.
        let is_taken = !self.names && color != turn && all.iter().any(|other| other.color == turn);
        let cost = match begins || is_taken {
            true => w::IN_AIR,
            false if stood < self.settings.press_before_ms => w::IN_AIR_OUT_OF_TURN + w::TOUCHED,
            false => w::IN_AIR_OUT_OF_TURN,
        };
        let pressed = pressed.map_or(0, |press| self.grown(w::PRESSED_IN_AIR, *press));
        // Who goes as a hand is at work was taken by it: a square dies at any time. His player's hand may have been there
        // before it took up the man of its ply, but not while he waited for the reply.
        let at_work = |(at, ply): (usize, &Timed)| {
            let (left, landed) = ply.left.zip(ply.landed)?;
            let replied = at.checked_sub(1).and_then(|below| plies[below].landed).unwrap_or(0);
            let reaches = left.saturating_sub(w::HELD_MS).max(replied.saturating_sub(w::EARLY_MS));
            if (left..=landed + self.settings.scan_ms).contains(&since) {
                return Some(w::AT_WORK);
            }
            (ply.side == color && (reaches..left).contains(&since)).then_some(w::REACHES)
        };
        let died = w::DIED + plies.iter().enumerate().filter_map(at_work).max().unwrap_or(0);
        (cost + self.held(since) + pressed).min(died)
    }

    /// What is in the making costs the more the longer it is.
    fn held(&self, since: Millis) -> i32 {
        w::HELD * i32::try_from(self.now.saturating_sub(since) / w::HELD_MS).unwrap_or(i32::MAX).min(w::HELD_TIMES)
    }

    /// What a press leaves open costs the more the longer it stands, and all once another one has followed.
    fn grown(&self, cost: i32, press: (Color, Millis)) -> i32 {
        let age = self.now.saturating_sub(press.1);
        if self.judges || self.presses.last() != Some(&press) || age >= self.settings.press_unseen_ms {
            cost
        } else if age >= self.settings.press_after_ms {
            cost / 2
        } else {
            cost / 8
        }
    }

    /// Hands follow one another.
    fn order(&self, plies: &[Timed], strays: &[Stray]) -> i32 {
        let (scan, mut cost) = (self.settings.scan_ms, 0);
        for (at, ply) in plies.iter().enumerate() {
            // A rook may stand long before its king has left.
            let is_castling = ply.played.is_castle() && ply.unread.is_some();
            if let (Some(left), Some(landed)) = (ply.left, ply.landed)
                && landed + 2 * scan < left
                && !is_castling
            {
                cost += w::BACKWARDS;
            }
            // Who was not read landing has at least begun.
            let reply = at.checked_sub(1).map(|below| &plies[below]);
            let below = reply.and_then(|reply| reply.landed.or(reply.left));
            if let Some(left) = ply.left.filter(|left| ply.jumps(*left, strays, self.settings)) {
                let is_pressed = reply.is_none_or(|reply| reply.pressed.is_some_and(|pressed| pressed <= left));
                cost += if is_pressed || !self.tells { w::JUMPED } else { w::JUMPED + w::JUMPED_UNASKED };
            }
            if let Some((landed, below)) = ply.landed.zip(below)
                && landed < below
            {
                cost += match below - landed {
                    by if by <= scan => w::EARLY_BY_A_SCAN,
                    by if by <= w::EARLY_MS => w::EARLY,
                    _ => w::EARLY_BY_FAR,
                };
            }
            let own = at.checked_sub(2).map(|own| &plies[own]);
            let is_busy = |own: &Timed, left: Millis| {
                let lands = own.landed.or(own.left).is_some_and(|at_least| left + scan < at_least);
                // Who goes on before his player's press, and long before there is a reply, was not let go of.
                let unanswered = below.is_some_and(|below| left + w::EARLY_MS < below)
                    || reply.and_then(|reply| reply.left).is_some_and(|begun| left < begun);
                let goes_on = unanswered && ply.played.from() == Some(own.played.to());
                lands || goes_on && (!self.tells || own.pressed.is_some_and(|pressed| left < pressed))
            };
            if own.zip(ply.left).is_some_and(|(own, left)| is_busy(own, left)) {
                cost += w::TWO_HANDS;
            }
            if own.and_then(|own| own.left).zip(ply.left).is_some_and(|(own, left)| left + scan < own) {
                cost += w::LEFT_FIRST;
            }
            cost += self.brief(ply, &plies[at + 1..]);
        }
        cost
    }

    /// Its man goes on, or is taken, sooner than a hand lets go of him: then the ply was another one, unless a press tells
    /// that he was let go of.
    fn brief(&self, ply: &Timed, later: &[Timed]) -> i32 {
        let (to, man) = (ply.played.to(), becomes(ply.played, ply.side));
        let goes = |later: &&Timed| later.played.from() == Some(to) || victim(later.played) == Some(to);
        let Some((landed, next)) = ply.landed.zip(later.iter().find(goes)) else { return 0 };
        let goes_on = next.side == ply.side;
        let until = if goes_on { next.left } else { next.landed }.unwrap_or(Millis::MAX);
        let seen = &self.track(to).seen;
        let stood = seen.iter().zip(seen.iter().skip(1));
        let mut stood = stood.filter(|(read, _)| matches(read.is, Some(man)) && (landed..until).contains(&read.at));
        let Some((first, gone)) = stood.next() else { return 0 };
        let gone = stood.next_back().map_or(gone.at, |(_, gone)| gone.at);
        let early = |pressed| (pressed + 1..=pressed + w::EARLY_MS).contains(&first.at);
        let is_brief = gone < first.at + self.settings.press_before_ms;
        let unanswered = || {
            let begun = later.first().and_then(|reply| reply.left).is_some_and(|begun| begun < gone);
            !begun || gone < first.at + self.settings.scan_ms
        };
        if is_brief && goes_on && !self.tells && unanswered() {
            w::BRIEF
        } else if is_brief && !goes_on && (!self.tells || ply.pressed.is_some_and(early)) {
            w::BRIEF_TAKEN
        } else {
            0
        }
    }

    /// Each ply has its press, and each press its ply: what that costs, and how much of it for presses after `horizon`.
    fn press(&self, plies: &mut [Timed], horizon: Millis) -> (i32, i32) {
        if !self.tells {
            return (0, 0);
        }
        let early = self.settings.press_after_ms;
        let mut presses = self.presses.iter().copied().peekable();
        // The last ply below the line may be pressed late.
        if presses.peek().is_some_and(|(side, _)| *side != self.first) {
            presses.next();
        }
        let (mut cost, count) = (0, plies.len());
        let mut earliest = 0;
        for (at, ply) in plies.iter_mut().enumerate() {
            let made = ply.landed.or(ply.left).unwrap_or(earliest).max(earliest);
            earliest = made;
            let own = presses.peek().copied().filter(|(side, _)| *side == ply.side);
            ply.pressed = own.map(|(_, pressed)| pressed);
            match own {
                Some((_, pressed)) => {
                    presses.next();
                    let untouched = pressed + self.settings.scan_ms..=made;
                    if self.names && ply.landed.is_some() && ply.left.is_some_and(|left| untouched.contains(&left)) {
                        cost += w::PRESSED_UNTOUCHED;
                    }
                    cost += match made.saturating_sub(pressed) {
                        // It stood there and was put up again.
                        by if by > early => w::PRESSED_FAR_AHEAD,
                        // Where men have no names it is another one that has landed.
                        by if by > w::EARLY_MS && !self.names => w::PRESSED_AHEAD,
                        _ => 0,
                    };
                }
                None if at + 1 < count => cost += w::UNPRESSED,
                None if self.now > made + w::UNPRESSED_MS => cost += w::UNPRESSED_LAST,
                None => {}
            }
        }
        let mut open = 0;
        for (before, press) in presses.enumerate() {
            let idle = self.grown(if before == 0 { w::IDLE_PRESS } else { w::IDLE_AGAIN }, press);
            cost += idle;
            open += if press.1 + early > horizon { idle } else { 0 };
        }
        (cost, open)
    }
}
