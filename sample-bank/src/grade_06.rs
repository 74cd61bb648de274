//! Templates for grade 6: ratios, percentages, integers, fractions, expressions, measures and averages.

use super::algebra::{
    bracketed, dollars, draft, fraction, integer, listed, measure, plus, point, polynomial, positive, signed,
    whole_quotient,
};
use super::figures::{Drawn, bar_chart, parallelogram, plane, triangle_with_height};
use super::wording::{friend, gcd, grouped, kind, name};
use super::{Dice, QuestionDraft, QuestionTemplate};

pub(super) fn templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Integers", "Adding and subtracting", 1, 8, adding_integers),
        kind("Percentages", "Percent of a number", 1, 7, percent_of),
        kind("Expressions", "Evaluating", 1, 7, evaluating),
        kind("Ratios and rates", "Equivalent ratios", 2, 8, equivalent_ratio),
        kind("Area and volume", "Area of triangles", 2, 4, triangle_area),
        kind("Area and volume", "Area of parallelograms", 2, 3, parallelogram_area),
        kind("Statistics", "Mean", 2, 7, mean),
        kind("Ratios and rates", "Unit rates", 3, 8, unit_rate),
        kind("Fractions", "Division", 3, 8, dividing_fractions),
        kind("Percentages", "Discounts and increases", 3, 7, price_change),
        kind("Expressions", "Equivalent expressions", 4, 8, equivalent_expression),
        kind("Integers", "Coordinate plane", 4, 8, rectangle_on_grid),
        kind("Percentages", "Finding the whole", 4, 7, whole_from_percent),
        kind("Ratios and rates", "Sharing in a ratio", 5, 8, sharing),
        kind("Statistics", "Changing the mean", 5, 8, changed_mean),
        kind("Area and volume", "Volume and capacity", 5, 7, tank),
        kind("Percentages", "Successive changes", 5, 7, successive_changes),
    ]
}

/// Those for which a number is the natural answer.
pub(super) fn number_templates() -> Vec<QuestionTemplate> {
    vec![
        kind("Integers", "Adding and subtracting", 1, 2, adding_integers),
        kind("Percentages", "Percent of a number", 1, 1, percent_of),
        kind("Expressions", "Evaluating", 1, 1, evaluating),
        kind("Ratios and rates", "Equivalent ratios", 2, 1, equivalent_ratio),
        kind("Area and volume", "Area of triangles", 2, 1, triangle_area),
        kind("Area and volume", "Area of parallelograms", 2, 1, parallelogram_area),
        kind("Statistics", "Mean", 2, 1, mean),
        kind("Ratios and rates", "Unit rates", 3, 1, unit_rate),
        kind("Fractions", "Division", 3, 2, dividing_fractions),
        kind("Percentages", "Discounts and increases", 3, 1, price_change),
        kind("Integers", "Coordinate plane", 4, 2, rectangle_on_grid),
        kind("Percentages", "Finding the whole", 4, 2, whole_from_percent),
        kind("Ratios and rates", "Sharing in a ratio", 5, 1, sharing),
        kind("Statistics", "Changing the mean", 5, 1, changed_mean),
        kind("Area and volume", "Volume and capacity", 5, 1, tank),
        kind("Percentages", "Successive changes", 5, 1, successive_changes),
    ]
}

fn adding_integers(dice: &mut Dice) -> QuestionDraft {
    let (size, step) = (dice.range(2, 15), dice.range(3, 16));
    let (start, step) = *dice.pick(&[(-size, step), (-size, -step), (size, -size - step)]);
    let (right, away) = (start + step, step.abs());
    let rises = step > 0;
    let mistakes = [-right, start.abs() + away, -start.abs() - away, start.abs() - away, start - step];
    let (from, end) = (integer(start), integer(right));
    let way = if rises { "right" } else { "left" };
    let explanation =
        format!("Start at {from} on the number line and move {away} steps to the {way}: you arrive at {end}.");
    if dice.below(2) == 0 {
        let question = format!("What is {from} {} {away}?", if rises { "+" } else { "−" });
        return draft(question, right, &mistakes, integer, explanation);
    }
    let place = dice.pick(&["Oslo", "Calgary", "Helsinki", "Sapporo", "Minsk"]);
    let question = format!(
        "At midnight the temperature in {place} was {from} °C. Then it {} by {away} °C. \
         What was the temperature after that?",
        if rises { "rose" } else { "fell" }
    );
    draft(question, right, &mistakes, |value| format!("{} °C", integer(value)), explanation)
}

fn percent_of(dice: &mut Dice) -> QuestionDraft {
    let percent = *dice.pick(&[10, 20, 25, 30, 40, 50, 60, 75]);
    let whole = 20 * dice.range(2, 20);
    let right = if whole == 100 { 0 } else { whole * percent / 100 };
    let question = match dice.below(3) {
        0 => format!("What is {percent}% of {whole}?"),
        1 => format!(
            "A school library bought {whole} books, and {percent}% of them are comics. How many comics are there?"
        ),
        _ => format!(
            "{whole} students tried out for the city choir, and {percent}% were accepted. How many were accepted?"
        ),
    };
    let mistakes = [whole_quotient(whole, percent), whole - percent, whole - right, percent, 10 * right];
    let explanation =
        format!("{percent}% means {percent} out of every 100, so the answer is {whole} × {percent} ÷ 100 = {right}.");
    draft(question, right, &mistakes, positive, explanation)
}

fn evaluating(dice: &mut Dice) -> QuestionDraft {
    let letter = dice.pick(&["x", "n", "t", "k"]);
    let (factor, value) = (dice.range(2, 9), dice.range(2, 9));
    let constant = signed(dice, 1, 12);
    let product = factor * value;
    let right = product + constant;
    let mistakes =
        [10 * factor + value + constant, factor * (value + constant), factor + value + constant, product - constant];
    let question = format!("What is the value of {factor}{letter}{} when {letter} = {value}?", plus(constant));
    let explanation = format!(
        "{factor}{letter} means {factor} × {letter}, so put {value} in place of {letter}: \
         {factor} × {value}{} = {product}{} = {right}.",
        plus(constant),
        plus(constant)
    );
    draft(question, right, &mistakes, positive, explanation)
}

fn equivalent_ratio(dice: &mut Dice) -> QuestionDraft {
    let (first, second, times) = (dice.range(2, 9), dice.range(2, 9), dice.range(3, 12));
    let (ours, known, place) = *dice.pick(&[
        ("red beads", "blue beads", "a box"),
        ("cats", "dogs", "an animal shelter"),
        ("violins", "cellos", "an orchestra"),
        ("goats", "sheep", "a field"),
        ("novels", "atlases", "a bookshop"),
        ("roses", "tulips", "a garden"),
    ]);
    let count = if gcd(first, second) == 1 { second * times } else { 0 };
    let right = if count > 0 { first * times } else { 0 };
    let mistakes =
        [count + first - second, whole_quotient(count * second, first), (first + second) * times, times, right + first];
    let question = format!(
        "The ratio of {ours} to {known} in {place} is {first} : {second}. There are {count} {known}. \
         How many {ours} are there?"
    );
    let explanation = format!(
        "{count} is {times} × {second}, so both parts of the ratio are multiplied by {times}: \
         {times} × {first} = {right} {ours}."
    );
    draft(question, right, &mistakes, positive, explanation)
}

fn triangle_area(dice: &mut Dice) -> QuestionDraft {
    let unit = *dice.pick(&["cm", "m"]);
    let (base, height) = (dice.range(4, 18), dice.range(3, 12));
    let (product, sum) = (base * height, base + height);
    let right = whole_quotient(product, 2);
    let question = format!("A triangle has a base of {base} {unit} and a height of {height} {unit}. What is its area?");
    let square = |value| measure(value, &format!("{unit}²"));
    let explanation = format!(
        "A triangle is half of a parallelogram with the same base and height: \
         {base} × {height} ÷ 2 = {right} {unit}²."
    );
    draft(question, right, &[product, sum, 2 * sum], square, explanation).with(triangle_with_height(base, height, unit))
}

fn parallelogram_area(dice: &mut Dice) -> QuestionDraft {
    let unit = *dice.pick(&["cm", "m"]);
    let (base, height) = (dice.range(4, 18), dice.range(3, 12));
    let side = height + dice.range(1, 4);
    let right = base * height;
    let question = format!(
        "A parallelogram has a base of {base} {unit}, a slanted side of {side} {unit} and a height of \
         {height} {unit}. What is its area?"
    );
    let half = whole_quotient(right, 2);
    let mistakes = [base * side, 2 * (base + side), half, right + base];
    let square = |value| measure(value, &format!("{unit}²"));
    let explanation = format!(
        "The area is base × height, and the slanted side is not used: \
         {base} × {height} = {right} {unit}²."
    );
    draft(question, right, &mistakes, square, explanation).with(parallelogram(base, side, height, unit))
}

fn mean(dice: &mut Dice) -> QuestionDraft {
    let person = name(dice);
    let what = dice.pick(&[
        "scores in five quizzes",
        "practice times on five days, in minutes,",
        "bowling scores in five rounds",
        "weekly savings, in dollars, for five weeks",
    ]);
    let mut values: [i64; 5] = std::array::from_fn(|_| dice.range(4, 24));
    let rest = values.iter().sum::<i64>() % 5;
    if let Some(last) = values.last_mut() {
        *last += 5 - rest;
    }
    let (total, written) = (values.iter().sum::<i64>(), listed(&values));
    let [_, _, third, ..] = values;
    let bars: Vec<(&str, i64)> = ["1st", "2nd", "3rd", "4th", "5th"].into_iter().zip(values).collect();
    values.sort_unstable();
    let [least, _, median, _, most] = values;
    let right = total / 5;
    let question = format!("{person}'s {what} were {written}. What is the mean of these numbers?");
    let mistakes = [median, most - least, third, whole_quotient(least + most, 2), whole_quotient(total, 4)];
    let explanation =
        format!("The mean is the total shared equally: the five numbers add up to {total}, and {total} ÷ 5 = {right}.");
    draft(question, right, &mistakes, positive, explanation).with(bar_chart(&bars)).seen(format!(
        "The bar chart shows {person}'s {}. What is the mean of these numbers?",
        what.trim_end_matches(',')
    ))
}

fn unit_rate(dice: &mut Dice) -> QuestionDraft {
    let (count, other) = (dice.range(3, 9), dice.range(3, 15));
    let things = dice.pick(&["notebooks", "muffins", "tram tickets", "pots of paint", "bags of rice", "tennis balls"]);
    let each = 25 * dice.range(3, 24);
    let (price, right) = (count * each, other * each);
    let mistakes = [price + 100 * (other - count), price + each, right - each, other * price, 2 * price];
    let mistakes = if other == count { [0; 5] } else { mistakes };
    let (paid, one, answer) = (dollars(price), dollars(each), dollars(right));
    let question = format!("{count} {things} cost {paid}. At the same price each, how much do {other} {things} cost?");
    let explanation =
        format!("One costs {paid} ÷ {count} = {one}, so {other} of them cost {other} × {one} = {answer}.");
    draft(question, right, &mistakes, dollars, explanation)
}

fn dividing_fractions(dice: &mut Dice) -> QuestionDraft {
    let mut proper = || {
        let below = dice.range(3, 10);
        (dice.range(1, below - 1), below)
    };
    let ((a, b), (c, d)) = (proper(), proper());
    let simple = gcd(a, b) == 1 && gcd(c, d) == 1 && (a, b) != (c, d);
    let right = if simple { (a * d, b * c) } else { (0, 0) };
    let mistakes = [(a * c, b * d), (b * c, a * d), (b * d, a * c), (a + c, b + d)];
    let (first, second, answer) = (fraction((a, b)), fraction((c, d)), fraction(right));
    let (question, start) = if dice.below(3) > 0 {
        (format!("What is {first} ÷ {second}?"), "")
    } else {
        let question =
            format!("A rectangle has an area of {first} m² and a length of {second} m. What is its width, in meters?");
        (question, "The width is the area divided by the length. ")
    };
    let turned = fraction((d, c));
    let explanation = format!(
        "{start}Dividing by {second} is the same as multiplying by its reciprocal, {turned}: \
         {first} × {turned} = {answer}."
    );
    draft(question, right, &mistakes, fraction, explanation)
}

fn price_change(dice: &mut Dice) -> QuestionDraft {
    let thing = dice.pick(&["A jacket", "A pair of skates", "A desk lamp", "A tent", "A guitar", "A set of drums"]);
    let price = 20 * dice.range(3, 18);
    let percent = 5 * dice.range(1, 9);
    let amount = price * percent;
    let (full, change) = (dollars(100 * price), dollars(amount));
    let (question, right, sign) = if dice.below(3) > 0 {
        let question =
            format!("{thing} costs {full}. In a sale its price is reduced by {percent}%. What is the sale price?");
        (question, 100 * price - amount, '−')
    } else {
        let question = format!("{thing} costs {full}. Its price then rises by {percent}%. What is the new price?");
        (question, 100 * price + amount, '+')
    };
    let plain = 100 * if sign == '−' { price - percent } else { price + percent };
    let answer = dollars(right);
    let mistakes = [amount, plain, 200 * price - right];
    let explanation = format!("{percent}% of {full} is {change}, and {full} {sign} {change} = {answer}.");
    draft(question, right, &mistakes, dollars, explanation)
}

fn equivalent_expression(dice: &mut Dice) -> QuestionDraft {
    let (outer, inner, constant) = (dice.range(2, 7), dice.range(2, 6), dice.range(2, 9));
    let constant = constant * *dice.pick(&[1, -1]);
    let extra = dice.range(2, 9) * *dice.pick(&[1, 1, -1]);
    let (opened, product) = (outer * inner, outer * constant);
    let factor = opened + extra;
    let (bracket, tail) = (polynomial(&[inner, constant]), polynomial(&[extra.abs(), 0]));
    let sign = if extra < 0 { '−' } else { '+' };
    let question = format!("Which expression is equivalent to {outer}({bracket}) {sign} {tail}?");
    let mistakes =
        [[factor, constant], [opened, product + extra], [factor + product, 0], [outer + inner + extra, product]];
    let explanation = format!(
        "Multiply both terms in the parentheses by {outer}: {} {sign} {tail}. \
         Then combine the terms with x: {}.",
        polynomial(&[opened, product]),
        polynomial(&[factor, product])
    );
    let write = |coefficients: [i64; 2]| {
        if coefficients == [0, product] { String::new() } else { polynomial(&coefficients) }
    };
    draft(question, [if factor > 1 { factor } else { 0 }, product], &mistakes, write, explanation).or([
        [opened, constant],
        [outer + inner + extra, constant],
    ]
    .map(write))
}

fn rectangle_on_grid(dice: &mut Dice) -> QuestionDraft {
    let [left, right, low, high] = [-1, 1, -1, 1].map(|sign| sign * dice.range(1, 8));
    let (width, height) = (right - left, high - low);
    let corners = [(left, high), (right, high), (right, low), (left, low)];
    let [first, second, third, fourth] = corners.map(point);
    // The mistake of subtracting the absolute values of the coordinates.
    let (narrow, flat) = ((right + left).abs(), (high + low).abs());
    let (around, inside) = (2 * (width + height), width * height);
    let (asked, answer, mistakes) = if dice.below(2) == 0 {
        let mistakes = [around, narrow * flat, right * high, width + height];
        ("area in square units", inside, mistakes)
    } else {
        let mistakes = [inside, 2 * (narrow + flat), width + height, around / 4];
        ("perimeter in units", around, mistakes)
    };
    let question = format!(
        "The corners of a rectangle on a grid are {first}, {second}, {third} and {fourth}. \
         What is its {asked}?"
    );
    let (left, low) = (bracketed(left), bracketed(low));
    let explanation = format!(
        "The width is {right} − {left} = {width} and the height is {high} − {low} = {height}, \
         so the {asked} is {answer}."
    );
    draft(question, answer, &mistakes, positive, explanation).with(plane(&corners, Drawn::Shape))
}

fn whole_from_percent(dice: &mut Dice) -> QuestionDraft {
    let percent = *dice.pick(&[15, 20, 30, 35, 40, 45, 55, 60, 65, 80]);
    let whole = 20 * dice.range(3, 20);
    let part = whole * percent / 100;
    let question = match dice.below(3) {
        0 => format!(
            "{part} students of a school cycle to school. They are {percent}% of all its students. How many students does the school have?"
        ),
        1 => format!(
            "A baker sold {part} rolls before noon, which was {percent}% of all the rolls baked. How many rolls were baked?"
        ),
        _ => format!(
            "{part} seats of a theater are in the balcony. They are {percent}% of all its seats. How many seats does the theater have?"
        ),
    };
    let mistakes = [
        whole_quotient(part * percent, 100),
        whole_quotient(part * (200 - percent), 100),
        part + percent,
        part + 100 - percent,
        whole - part,
    ];
    let explanation = format!(
        "{percent}% of the whole is {part}, so the whole is {part} ÷ {percent} × 100 = {whole}. \
         Check: {whole} × {percent} ÷ 100 = {part}."
    );
    draft(question, whole, &mistakes, positive, explanation)
}

fn sharing(dice: &mut Dice) -> QuestionDraft {
    let (giver, middle) = (name(dice), friend(dice));
    let last = dice.pick(&["Aunt Vera", "Grandpa Tom", "Uncle Ravi"]);
    let (first, second, third) = (dice.range(1, 5), dice.range(1, 8), dice.range(3, 9));
    let apart = third - first;
    let one = dice.range(3, 15);
    let (more, parts) = (one * apart, first + second + third);
    let total = if apart > 1 && gcd(gcd(first, second), third) == 1 { one * parts } else { 0 };
    let mistakes =
        [one * third, more * parts, whole_quotient(more * parts, third), one * (first + third), more * third];
    let question = format!(
        "{giver}, {middle} and {last} share a prize in the ratio {first} : {second} : {third}. \
         {last} gets ${more} more than {giver}. How much is the whole prize?"
    );
    let explanation = format!(
        "{last} has {third} − {first} = {apart} parts more than {giver}, so one part is \
         ${more} ÷ {apart} = ${one}. All {parts} parts together are {parts} × ${one} = ${total}."
    );
    draft(question, 100 * total, &mistakes.map(|amount| 100 * amount), dollars, explanation)
}

fn changed_mean(dice: &mut Dice) -> QuestionDraft {
    let person = name(dice);
    let (count, before) = (dice.range(3, 8), dice.range(9, 24));
    let change = dice.range(1, 4) * *dice.pick(&[1, 1, -1]);
    let after = before + change;
    let (old, new) = (count * before, (count + 1) * after);
    let (things, thing) =
        *dice.pick(&[("basketball games", "game"), ("quizzes", "quiz"), ("rounds of darts", "round")]);
    let next = count + 1;
    let question = format!(
        "After {count} {things}, {person}'s mean score was {before} points. After one more {thing} \
         the mean was {after} points. How many points did {person} score in that last {thing}?"
    );
    let mistakes = [after + change, before + count * change, after, (before + after) / 2, next * change.abs()];
    let explanation = format!(
        "The first {count} gave {count} × {before} = {old} points in all, and {next} gave \
         {next} × {after} = {new}, so the last {thing} gave {new} − {old} = {}.",
        new - old
    );
    draft(question, new - old, &mistakes, positive, explanation)
}

fn tank(dice: &mut Dice) -> QuestionDraft {
    let place = dice.pick(&["A fish tank", "A storage tank", "A rain tank"]);
    let [length, width, height] = [(8, 15), (3, 8), (2, 6)].map(|(low, high)| 10 * dice.range(low, high));
    let below = dice.range(3, 8);
    let above = dice.range(1, below - 1);
    let liters = length * width * height / 1000;
    let filled = whole_quotient(liters * above, below);
    let is_simple = filled > 0 && gcd(above, below) == 1;
    let right = if is_simple { liters - filled } else { 0 };
    let question = format!(
        "{place} in the shape of a box is {length} cm long, {width} cm wide and {height} cm high. \
         It is {above}/{below} full of water. How many liters must be added to fill it? (1 liter = 1,000 cm³)"
    );
    let mistakes = [filled, liters, 10 * right, 100 * right];
    let explanation = format!(
        "The whole volume is {length} × {width} × {height} = {} cm³ = {liters} liters. \
         {} of it is still empty: {right} liters.",
        grouped(1000 * liters),
        fraction((below - above, below))
    );
    let shown = |value| measure(value, "liters");
    draft(question, right, &mistakes, shown, explanation)
}

fn successive_changes(dice: &mut Dice) -> QuestionDraft {
    let thing = dice.pick(&["a bicycle", "a sofa", "a phone", "a winter coat", "a season ticket"]);
    let price = 20 * dice.range(3, 25);
    let (up, down) = (5 * dice.range(2, 8), 5 * dice.range(2, 8));
    let raised = price * (100 + up);
    let right = price * (100 + up) * (100 - down) / 100;
    let (full, middle, answer) = (dollars(100 * price), dollars(raised), dollars(right));
    let question = format!(
        "The price of {thing} is {full}. In May it rises by {up}%. In June the new price is reduced by {down}%. \
         What is the price after both changes?"
    );
    let mistakes = [price * (100 + up - down), raised - 100 * down, 100 * (price + up - down), raised];
    let explanation = format!(
        "In May: {full} × {} ÷ 100 = {middle}. In June the price falls by {down}% of {middle}, not of {full}: \
         {middle} × {} ÷ 100 = {answer}.",
        100 + up,
        100 - down
    );
    draft(question, right, &mistakes, dollars, explanation)
}
