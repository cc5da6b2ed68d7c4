// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/lessons/figure_data.h"

#include <string>

namespace binade::lessons {

/// What a register of `format` holds after an operation whose exact result is `value`: rounded to nearest, ties to
/// even. The result of one operation on numbers of the format is exact enough in a double.
double held(double value, const formats::Format& format);

/// Distance of a number of `format` to the next one of larger magnitude.
double step_at(double value, const formats::Format& format);

/// Bit pattern of a value of `format` in hexadecimal: `0x7bff`.
std::string bits_text(double value, const formats::Format& format);

/// A number as short as it can be while float32 keeps it apart from its neighbours: `65519.996`, `9.998679e-6`. Digits
/// before the point are exact below 1e15; a number beyond float32 has eight digits. Powers of two below 2^-5 and above
/// 2^24 are written as such.
std::string number_text(double value);

/// A number in at most three figures, for labels: `0.00999`, `1.01e-6`. Powers of two that need more are written as
/// such: `2^16`.
std::string brief_text(double value);

/// A share of 100: `12.34 %`, `< 0.01 %`, and `0 %` only for exactly none.
std::string share_text(double percent);

/// A relative error in percent, to three figures: `0.136 %`.
std::string error_text(double percent);

/// Error of `value` in percent of `exact`; 0 if both are equal.
double error_percent(double value, double exact);

/// 2^exponent.
double power_of_two(int exponent);

/// Adds a fact; its text is number_text(value) unless one is given.
void add_fact(FigureData& data, std::string name, double value);
void add_fact(FigureData& data, std::string name, double value, std::string text);

/// Adds the parts of `format`'s range as bands: becomes 0, subnormal, normal, overflows. They reach from the low to the
/// high end of the axis.
void add_window(Panel& panel, const formats::Format& format, bool on_x);

/// How `format` holds a magnitude: normal, subnormal, zero or overflow.
Role role_of(double held_value, const formats::Format& format);
/// `normal`, `subnormal`, `becomes 0` or `overflows`.
std::string role_text(Role role);

}  // namespace binade::lessons
