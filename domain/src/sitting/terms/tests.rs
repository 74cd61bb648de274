//! Tests of a candidate's terms and deadline. A second implementation is compared in `tests/it/sittings/oracle.rs`.

use proptest::prelude::*;

use super::*;

const MINUTE: i64 = 60_000;

fn at(minute: i64) -> Moment {
    Moment::from_milliseconds(minute * MINUTE)
}

/// Sixty minutes from minute 100 on, by the clock.
fn plain() -> TermLayers {
    TermLayers {
        start: StartRule::Clock,
        late: LateRule::Cut,
        minutes: 60,
        starts_at: at(100),
        ends_at: None,
        begun_at: None,
        hall: Layer::default(),
        hall_begun_at: None,
        accommodation: Layer::default(),
        candidate: Layer::default(),
    }
}

fn deadline(layers: TermLayers, entered_at: Option<i64>) -> Option<Moment> {
    CandidateTerms::of(&layers).deadline(entered_at.map(at), GrantedTime::default())
}

fn factor(percent: i64) -> Option<Factor> {
    Some(Factor::new(percent).unwrap())
}

#[test]
fn latecomers_lose_what_they_missed_or_get_all_of_it() {
    assert_eq!(deadline(plain(), Some(90)), Some(at(160)));
    assert_eq!(deadline(plain(), Some(115)), Some(at(160)));
    assert_eq!(deadline(plain(), None), Some(at(160)));
    let full = TermLayers { late: LateRule::Full, ..plain() };
    assert_eq!(deadline(full, Some(115)), Some(at(175)));
    assert_eq!(deadline(full, Some(90)), Some(at(160)), "nobody begins before the others");
    let own = TermLayers { start: StartRule::Own, ..plain() };
    assert_eq!((deadline(own, Some(115)), deadline(own, None)), (Some(at(175)), None));
}

#[test]
fn the_shared_end_leaves_room_for_extra_time_and_an_own_one_does_not() {
    let ended = TermLayers { ends_at: Some(at(150)), ..plain() };
    assert_eq!(deadline(ended, None), Some(at(150)));
    let candidate = Layer { factor: factor(150), extra_minutes: Some(5), ..Layer::default() };
    assert_eq!(deadline(TermLayers { candidate, ..ended }, None), Some(at(185)));
    let own_end = Layer { ends_at: Some(at(150)), ..candidate };
    assert_eq!(deadline(TermLayers { candidate: own_end, ..ended }, None), Some(at(150)));
    let terms = CandidateTerms::of(&ended);
    let granted = GrantedTime { extended_minutes: 10, paused_milliseconds: 3 };
    assert_eq!(terms.deadline(None, granted), Some(at(160).plus(3)));
}

#[test]
fn an_own_start_is_kept_by_the_clock() {
    let candidate = Layer { starts_at: Some(at(70)), ..Layer::default() };
    let waiting = TermLayers { start: StartRule::Proctor, ..plain() };
    assert_eq!(deadline(waiting, None), None);
    assert_eq!(deadline(TermLayers { candidate, ..waiting }, None), Some(at(130)));
    let begun = TermLayers { begun_at: Some(at(104)), ..waiting };
    assert_eq!(deadline(begun, None), Some(at(164)));
    assert_eq!(deadline(TermLayers { hall_begun_at: Some(at(102)), ..begun }, None), Some(at(162)));
    let hall = Layer { starts_at: Some(at(110)), ..Layer::default() };
    assert_eq!(deadline(TermLayers { hall, ..waiting }, None), None, "a hall's time is a plan while a proctor begins");
    assert_eq!(deadline(TermLayers { hall, ..plain() }, None), Some(at(170)));
    let terms = CandidateTerms::of(&TermLayers { hall, candidate, ..plain() });
    assert_eq!(terms.starts_at, Sourced { value: at(70), source: ValueSource::Candidate });
    assert!(terms.has_begun(at(70)) && !terms.has_begun(at(69)));
}

#[test]
fn the_last_layer_with_a_value_counts() {
    let of = |hall, accommodation, candidate| {
        let layer = |percent| Layer { factor: percent, ..Layer::default() };
        let layers = TermLayers {
            hall: layer(hall),
            accommodation: layer(accommodation),
            candidate: layer(candidate),
            ..plain()
        };
        let found = CandidateTerms::of(&layers).factor;
        (found.value.percent(), found.source)
    };
    assert_eq!(of(None, None, None), (100, ValueSource::Sitting));
    assert_eq!(of(factor(110), None, None), (110, ValueSource::Room));
    assert_eq!(of(factor(110), factor(125), None), (125, ValueSource::Accommodation));
    assert_eq!(of(factor(110), factor(125), factor(100)), (100, ValueSource::Candidate));
}

fn any_moment() -> impl Strategy<Value = Moment> {
    (0..1_000_000_000_i64).prop_map(Moment::from_milliseconds)
}

fn any_layer() -> impl Strategy<Value = Layer> {
    let factor = proptest::option::of((100..=400_i64).prop_map(|percent| Factor::new(percent).unwrap()));
    let (moment, extra) = (|| proptest::option::of(any_moment()), proptest::option::of(0..=600_u32));
    (moment(), moment(), factor, extra).prop_map(|(starts_at, ends_at, factor, extra_minutes)| Layer {
        starts_at,
        ends_at,
        factor,
        extra_minutes,
    })
}

fn any_layers() -> impl Strategy<Value = TermLayers> {
    let start = prop_oneof![Just(StartRule::Clock), Just(StartRule::Proctor), Just(StartRule::Own)];
    let late = prop_oneof![Just(LateRule::Cut), Just(LateRule::Full)];
    let times = (any_moment(), proptest::option::of(any_moment()), proptest::option::of(any_moment()));
    let hall = (any_layer(), proptest::option::of(any_moment()));
    (start, late, 1..=600_u32, times, hall, any_layer(), any_layer()).prop_map(
        |(start, late, minutes, (starts_at, ends_at, begun_at), (hall, hall_begun_at), accommodation, candidate)| {
            let accommodation = Layer { starts_at: None, ends_at: None, ..accommodation };
            TermLayers {
                start,
                late,
                minutes,
                starts_at,
                ends_at,
                begun_at,
                hall,
                hall_begun_at,
                accommodation,
                candidate,
            }
        },
    )
}

proptest! {
    /// Nobody has more than their allowance and what was granted, nor writes after their hard end; without a hard end
    /// they have all of it.
    #[test]
    fn the_deadline_is_the_allowance_or_the_hard_end(
        layers in any_layers(), entered in proptest::option::of(any_moment()), extended in -600..600_i32, paused in 0..10_000_000_i64,
    ) {
        let terms = CandidateTerms::of(&layers);
        let granted = GrantedTime { extended_minutes: extended, paused_milliseconds: paused };
        let (base, end, deadline) = (terms.base(entered), terms.hard_end(granted), terms.deadline(entered, granted));
        prop_assert_eq!(base.is_some(), deadline.is_some());
        if let (Some(base), Some(deadline)) = (base, deadline) {
            let full = base.plus(terms.allowance_milliseconds() + i64::from(extended) * MINUTE + paused);
            prop_assert!(deadline == full.min(end.unwrap_or(full)));
        }
    }

    /// An attempt's clock says the same as the terms, whatever proctors give meanwhile.
    #[test]
    fn the_attempts_times_have_the_same_deadline(
        layers in any_layers(), entered in any_moment(), extended in -600..600_i32, pause in 0..10_000_000_i64,
    ) {
        let terms = CandidateTerms::of(&layers);
        let times = terms.times(entered);
        let begins_at = terms.base(Some(entered));
        prop_assert_eq!(times.begins_at, begins_at.unwrap_or(Moment::LAST));
        let granted = GrantedTime { extended_minutes: extended, paused_milliseconds: pause };
        let paused = times.extended(extended).paused(times.begins_at).unpaused(times.begins_at.plus(pause));
        if let Some(deadline) = terms.deadline(Some(entered), granted) {
            prop_assert_eq!(paused.deadline(), deadline);
            prop_assert_eq!(paused.paused_milliseconds, pause);
        } else {
            prop_assert_eq!(times.remaining(entered), terms.allowance_milliseconds());
        }
    }

    /// More of anything never takes time away, and what a proctor grants is given in full.
    #[test]
    fn more_time_is_never_less(layers in any_layers(), entered in any_moment(), more in 1..600_i32) {
        let terms = CandidateTerms::of(&layers);
        let granted = GrantedTime { extended_minutes: more, paused_milliseconds: 0 };
        let (before, after) = (terms.deadline(Some(entered), GrantedTime::default()), terms.deadline(Some(entered), granted));
        let is_own_end = terms.ends_at.is_some_and(|end| end.source == ValueSource::Candidate);
        if let (Some(before), Some(after)) = (before, after) {
            prop_assert!(after >= before);
            prop_assert!(is_own_end || after == before.plus(i64::from(more) * MINUTE));
        }
        let extra_minutes = Some(terms.extra_minutes.value.saturating_add(more.unsigned_abs()).min(600));
        let more_extra = TermLayers { candidate: Layer { extra_minutes, ..layers.candidate }, ..layers };
        let later = CandidateTerms::of(&more_extra).deadline(Some(entered), GrantedTime::default());
        prop_assert!(later >= before);
    }

    /// Entering later never gives an earlier deadline, and never moves that of a sitting that cuts.
    #[test]
    fn entering_later_never_ends_earlier(layers in any_layers(), entered in any_moment(), later in 0..100_000_000_i64) {
        let terms = CandidateTerms::of(&layers);
        let at = |moment| terms.deadline(Some(moment), GrantedTime::default());
        let (early, late) = (at(entered), at(entered.plus(later)));
        prop_assert!(late >= early);
        prop_assert!(layers.late == LateRule::Full || layers.start == StartRule::Own || late == early);
    }
}
