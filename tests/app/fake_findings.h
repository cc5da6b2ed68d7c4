// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/casts.h"
#include "engine/wire/comparison.h"
#include "engine/wire/profile.h"
#include "engine/wire/quantized.h"
#include "engine/wire/records.h"
#include "engine/wire/savings.h"
#include "engine/wire/silent_fault.h"
#include "engine/wire/what_if.h"

namespace binade::test {

// What an engine would find out about FakeRun's made-up network (its sites by place: 4 layer1.0.conv1, 6
// layer1.0.conv2, 10 fc1, 11 fc2, 12 loss).

/// A gradient overflow at fc2, proved by a replay: harmless, three changes tried, the smallest a scale of half.
wire::Diagnosis benignOverflow(double scale);
/// A forward overflow at fc1 that passes through fc2 to the loss: only another format helps.
wire::Diagnosis forwardOverflow();
/// An event of this step with that diagnosis.
wire::Event diagnosed(std::int64_t step, wire::Event::Kind kind, double scale, wire::Diagnosis diagnosis);

/// Times of op calls on a CPU, fc2 emulated; no device curve, because there is no driver.
wire::Profile cpuProfile(std::int64_t first, std::int64_t last);
/// A device's curve and tensor-core figures, as counters give them.
wire::Profile gpuProfile(std::int64_t first, std::int64_t last);

/// The same of every op call, as a run on a GPU would look: figures that vary, reasons of every kind, one op call too
/// short for the counters. All made up.
wire::Profile lifelikeProfile(std::int64_t first, std::int64_t last);

/// Three casts; one goes away with a rule.
wire::CastLedger casts(int revision, std::int64_t step);
/// Three casts less with fc1 in float32.
wire::Savings savings(std::int64_t step);
/// fc1 adds most; fc2 inherits; conv1 differs in backward only.
wire::Float32Comparison comparison(std::int64_t step);
/// Three operands: fc1's gradient in nvfp4 is the worst, fc2's weight has a stale scale, conv1's input is 0.
wire::QuantizedStep quantized(std::int64_t step);
/// mxfp8 and mxfp4 on 64 values: the first block has an outlier, and loses most.
wire::WhatIf whatIf(std::int64_t step, const wire::AskWhatIf& asked);

/// Four silent faults, the worst first: values of conv1's gradient that become 0 (a scale mends it), updates of
/// fc2.weight that change nothing (no edit mends it), a loss spike at step 15, large logits at fc1 (a format mends it).
wire::SilentReport silentReport();

}  // namespace binade::test
