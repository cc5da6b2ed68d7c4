// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "engine/wire/records.h"

#include <QString>

namespace binade::app {

/// An event in one or a few sentences, in the window's notation.
QString eventText(const RunModel& run, const wire::Event& event);
/// A magnitude for comparison with a format's limits: an integer below a million, `65,504`, else a few digits.
QString magnitudeText(double value);
/// `overflowed`, `became infinite in a cast`, ...
QString faultText(wire::Root::Fault fault);
/// The loss scales at which every gradient of a step survives: `2⁻³ … 2¹⁷ (bounds)`, `up to 2¹⁷`.
QString scaleBandText(const wire::ScaleBand& band);
/// A first cause's tensor: `gradient of weight`, `output`, a parameter's name.
QString rootWords(const wire::Root& root);
/// The tensor of a first cause in a cast: `input, cast on its way in`, `gradient of input, cast on its way out`.
QString castWords(const wire::Root& root);
/// Explains the event from first principles: where it started (a value too large for its format, an operation without a
/// finite result, non-finite input), and its consequences. `format` and `largest` may be unknown (empty, 0).
QString whyRed(const wire::Event& event, const QString& format, double largest, double nextScale);

}  // namespace binade::app
