// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/bad_rows.h"

#include "engine/files/label_range.h"
#include "engine/graph/failure.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <vector>

namespace binade::diagnose {

namespace {

using observe::BadSlices;

bool comes_with_the_model(const TracedValue& value) {
  return value.origin == TracedValue::Origin::kParameter || value.origin == TracedValue::Origin::kBuffer;
}

/// Returns the slices in which the cause's result is not finite; null if it has no rows.
const BadSlices* slices_of(const Trace& trace, const Cause& cause) {
  const auto value = [&trace](int id) -> const TracedValue& { return trace.values()[static_cast<std::size_t>(id)]; };
  if (cause.value >= 0) return cause.fault == Cause::Fault::kData ? value(cause.value).seen.slices.get() : nullptr;
  if (cause.backward) {
    if (cause.node < 0 || cause.fault == Cause::Fault::kSum) return nullptr;
    for (const observe::Values& seen : trace.nodes()[static_cast<std::size_t>(cause.node)].out) {
      if (seen.slices) return seen.slices.get();
    }
    return nullptr;
  }
  if (cause.call < 0 || cause.inside) return nullptr;
  const TracedCall& call = trace.calls()[static_cast<std::size_t>(cause.call)];
  if (cause.fault == Cause::Fault::kCast) {
    for (const TracedUse& use : call.uses) {
      if (use.argument != cause.argument || !use.cast || comes_with_the_model(value(use.value))) continue;
      if (use.cast->slices) return use.cast->slices.get();
    }
    return nullptr;
  }
  for (const int result : call.results) {
    if (value(result).seen.slices) return value(result).seen.slices.get();
  }
  return nullptr;
}

int batch_of(const Trace& trace, const Cause& cause) {
  return cause.call < 0 ? 0 : trace.calls()[static_cast<std::size_t>(cause.call)].batch;
}

std::int64_t first_good(const BadSlices& slices) {
  std::int64_t row = 0;
  while (std::binary_search(slices.bad.begin(), slices.bad.end(), row)) ++row;
  return row;
}

wire::BadRows described(const BadSlices& slices, int batch, const batches::Batch& kept) {
  wire::BadRows rows;
  rows.batch = batch;
  rows.of = slices.of;
  rows.bad = static_cast<std::int64_t>(slices.bad.size());
  const std::size_t named = std::min(slices.bad.size(), wire::BadRows::kMostNamed);
  rows.rows.assign(slices.bad.begin(), slices.bad.begin() + static_cast<std::ptrdiff_t>(named));
  if (kept.rows.size() != static_cast<std::size_t>(slices.of)) return rows;
  for (const std::int64_t row : rows.rows) rows.examples.push_back(kept.rows[static_cast<std::size_t>(row)]);
  return rows;
}

/// Returns whether the cause is a mean over a batch's labels, which is NaN if there are none.
bool is_mean_over_labels(const Cause& cause, const Trace& trace) {
  if (cause.fault != Cause::Fault::kInvalid || cause.backward || cause.call < 0) return false;
  const std::string& op = trace.calls()[static_cast<std::size_t>(cause.call)].site->op;
  return op == "aten::nll_loss_nd" || op == "aten::cross_entropy_loss";
}

wire::Attempt& add_attempt(wire::Diagnosis& diagnosis, Replay& replay, const wire::BadRows& rows, std::int64_t good,
                           bool finite) {
  const std::string all = std::to_string(rows.bad) + " rows";
  const std::string what = rows.bad == 1 ? "row " + std::to_string(rows.rows.front()) : all;
  wire::Attempt& tried = diagnosis.evidence.emplace_back();
  tried.note = what + " of the batch replaced by row " + std::to_string(good);
  tried.scale = replay.training().scalers.scale(0);
  tried.finite = finite;
  return tried;
}

}  // namespace

std::optional<wire::BadRows> rows_without_label(Replay& replay) {
  for (std::size_t i = 0; i < replay.batches().size(); ++i) {
    const batches::Batch& batch = replay.batches()[i];
    for (const train::Loss& loss : replay.training().losses) {
      if (!loss.classifies() || batch.target(loss.config().target).ne(files::kIgnoredLabel).any().item<bool>())
        continue;
      BadSlices all{.of = batch.examples, .bad = std::vector<std::int64_t>(static_cast<std::size_t>(batch.examples))};
      std::iota(all.bad.begin(), all.bad.end(), 0);
      return described(all, static_cast<int>(i), batch);
    }
  }
  return std::nullopt;
}

void name_bad_rows(wire::Diagnosis& diagnosis, const Causes& causes, const Trace& trace, Replay& replay,
                   bool may_replay) {
  if (causes.roots.empty() || diagnosis.roots.empty()) return;
  const Cause& cause = causes.roots.front();
  if (is_mean_over_labels(cause, trace)) {
    diagnosis.roots.front().rows = rows_without_label(replay);
    return;
  }
  const BadSlices* const slices = slices_of(trace, cause);
  const int batch = batch_of(trace, cause);
  if (slices == nullptr || batch >= static_cast<int>(replay.batches().size())) return;
  const batches::Batch& kept = replay.batches()[static_cast<std::size_t>(batch)];
  // Only tensors with the batch's rows, and fewer than all of them.
  if (slices->of != kept.examples || slices->bad.empty() ||
      slices->bad.size() >= static_cast<std::size_t>(slices->of)) {
    return;
  }
  const wire::BadRows rows = described(*slices, batch, kept);
  if (cause.fault == Cause::Fault::kData) {
    diagnosis.roots.front().rows = rows;
    return;
  }
  // The dimension may equal the batch size by accident, so a replay must confirm it.
  if (!may_replay) return;
  constexpr double kLow = 0x1p-14;
  const std::int64_t good = first_good(*slices);
  try {
    Replay::How how;
    how.replaced = {static_cast<std::size_t>(batch), slices->bad, good};
    Replay::Result without = replay.run(how);
    if (!without.finite() && without.finite_loss) {
      // The loss scale may be too high as well, as at the start of a run.
      how.scale = kLow;
      without = replay.run(how);
    }
    if (!without.finite()) return;
  } catch (const std::exception& error) {
    // Other numbers may change the model's control flow. Whether the rows are the cause remains unknown.
    add_attempt(diagnosis, replay, rows, good, false).failure = graph::reason_of(error);
    return;
  }
  diagnosis.roots.front().rows = rows;
  add_attempt(diagnosis, replay, rows, good, true);
}

}  // namespace binade::diagnose
