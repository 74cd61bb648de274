//! The part of a room that decides when changes are sent to watchers.

use std::time::{Duration, Instant};

use actix::prelude::*;
use domain::room::differences::Differences;

use super::RoomActor;
use super::watchers::{RoomPicture, TURNS, WatcherUpdate, Watchers};

/// Least time between two messages of changes.
pub(super) const TELL_EVERY: Duration = Duration::from_millis(250);
/// Time between the turns of watchers of differences. All get the same bytes, but not at once.
const TURN_EVERY: Duration = Duration::from_millis(20);
/// Watchers who join within this time are welcomed together, so that their roster is made once.
const WELCOME_AFTER: Duration = Duration::from_millis(20);

impl RoomActor {
    /// Sends changes to the watchers, now or as soon as [`TELL_EVERY`] allows.
    pub(super) fn tell(&mut self, is_news: bool, context: &mut Context<Self>) {
        if is_news {
            self.watchers.owe_news();
        }
        if !self.is_ready || self.watchers.is_empty() {
            return;
        }
        let wait = self.told_at.map_or(Duration::ZERO, |told_at| TELL_EVERY.saturating_sub(told_at.elapsed()));
        if !wait.is_zero() && !is_news {
            return self.tell_after(wait, context);
        }
        let (picture, watchers) = self.picture(is_news);
        let told = watchers.tell(&picture);
        if told.has_sent {
            self.told_at = Some(Instant::now());
        }
        self.go_on_after(told, context);
    }

    /// Gathers what has changed, and sends it to those who are told differences, one turn after another.
    pub(super) fn take_turns(&mut self, context: &mut Context<Self>) {
        if !self.is_ready || !self.watchers.has_differing() {
            return;
        }
        self.go_on_with_differences();
        self.take_turn(0);
        for (turn, wait) in (1..TURNS).zip(1..) {
            self.tools.clock.after(context, TURN_EVERY * wait, move |actor: &mut Self, _| actor.take_turn(turn));
        }
    }

    fn take_turn(&mut self, turn: usize) {
        if self.differences.as_ref().is_some_and(|differences| self.watchers.needs_rows(differences, turn)) {
            self.go_on_with_differences();
        }
        let (picture, watchers) = self.picture(false);
        if let Some(differences) = picture.differences {
            watchers.tell_differences(&picture, differences, turn);
        }
    }

    fn go_on_with_differences(&mut self) {
        if self.watchers.has_differing() {
            let now = self.tools.clock.now();
            self.differences.get_or_insert_with(|| Differences::of(&self.room)).go_on(&self.room, now);
            self.watchers.forget_made();
        }
    }

    /// Sends the roster to watchers who have joined, so that they need not wait for the next change. The others are
    /// sent their changes when they would be anyway.
    pub(super) fn welcome(&mut self, context: &mut Context<Self>) {
        if !self.is_ready || std::mem::replace(&mut self.is_welcoming, true) {
            return;
        }
        self.tools.clock.after(context, WELCOME_AFTER, |actor: &mut Self, context| {
            actor.is_welcoming = false;
            actor.go_on_with_differences();
            let (picture, watchers) = actor.picture(false);
            let told = watchers.welcome(&picture);
            actor.go_on_after(told, context);
        });
    }

    fn picture(&mut self, is_news: bool) -> (RoomPicture<'_>, &mut Watchers) {
        let picture = RoomPicture {
            key: self.key,
            hall: self.expected.hall(),
            room: &self.room,
            differences: self.differences.as_ref(),
            is_partial: self.is_partial,
            state: &self.state,
            now: self.tools.clock.now(),
            is_news,
        };
        (picture, &mut self.watchers)
    }

    fn tell_after(&mut self, wait: Duration, context: &mut Context<Self>) {
        if !std::mem::replace(&mut self.is_telling_later, true) {
            self.tools.clock.after(context, wait, |actor: &mut Self, context| {
                actor.is_telling_later = false;
                actor.tell(false, context);
            });
        }
    }

    fn go_on_after(&mut self, told: WatcherUpdate, context: &mut Context<Self>) {
        if told.is_behind {
            self.tell_after(TELL_EVERY, context);
        }
    }
}
