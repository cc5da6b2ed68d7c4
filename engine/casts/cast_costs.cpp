// SPDX-License-Identifier: Apache-2.0
#include "engine/casts/cast_costs.h"

#include "engine/autocast/precision.h"
#include "engine/graph/dtype_format.h"
#include "engine/train/batch_pass.h"
#include "engine/train/training_state_guard.h"

#include <ATen/core/grad_mode.h>

#include <algorithm>
#include <array>

namespace binade::casts {

namespace {

constexpr std::int64_t kFirstSteps = 3;
constexpr std::chrono::seconds kPause{1};
constexpr double kTryShare = 0.01;  // of the steps' time, for trying edits

/// Finds where arguments come from in an extra forward.
CastSources sources_of(train::Training& training) {
  CastSources sources;
  const train::TrainingStateGuard guard(training);
  const at::NoGradGuard no_history;
  const batches::Batch batch = train::on_device(training, training.data->peek(0));
  autocast::Autocast casts(training.device.type());
  casts.set_policy(training.policy);
  casts.products().follow(training.autocast.products());
  casts.set_watch([&sources](const autocast::InnerCast& cast) {
    sources.note_inside({cast.from.scalar_type(), cast.to.scalar_type()});
  });
  const std::array<graph::SiteHook*, 2> hooks{&sources, &casts};
  train::BatchPass(training, casts, batch, hooks).run_losses();
  return sources;
}

/// Writes what determines the site's precision into `line`.
void set_cause(const train::Training& training, const policy::Decision& decision, wire::CastLine& line) {
  const policy::Policy& policy = training.config.policy;
  if (decision.rule >= 0) {
    line.cause = wire::CastLine::Cause::kSiteRule;
    line.rule = policy.sites[static_cast<std::size_t>(decision.rule)].match;
  } else if (decision.rule == policy::kFromOpChange) {
    line.cause = wire::CastLine::Cause::kOpChange;
  } else if (decision.block >= 0) {
    line.cause = wire::CastLine::Cause::kOwnBlock;
  } else {
    line.rule = policy::name(policy.base);
  }
}

/// Returns whether a rule for single calls applies to the site.
bool has_single_calls(const policy::Resolved& table, int site) {
  const auto first = table.calls.lower_bound({site, 0});
  return first != table.calls.end() && first->first.first == site;
}

void remove_by(const graph::Site& site, const formats::Format& format, wire::CastLine& line) {
  line.edit_match = site.key.name();
  line.edit_format = format;
}

}  // namespace

CastCosts::CastCosts(train::Training& training) : training_(training), savings_(training) {
  training_.autocast.set_ledger(&ledger_);
}

CastCosts::~CastCosts() {
  training_.autocast.set_ledger(nullptr);
}

void CastCosts::stepped(std::int64_t step, double seconds) {
  if (steps_ == 0) first_step_ = step;
  ++steps_;
  seconds_ += seconds;
  trained_ += seconds;
}

bool CastCosts::due() const {
  return steps_ >= kFirstSteps && (!sources_ || Clock::now() - reported_ >= kPause);
}

void CastCosts::reset() {
  ledger_.reset();
  sources_.reset();
  savings_.reset();
  steps_ = 0;
  seconds_ = 0;
  trained_ = 0;
}

wire::CastLedger CastCosts::take() {
  wire::CastLedger casts;
  casts.policy_revision = training_.policy->revision;
  casts.first_step = first_step_;
  casts.last_step = first_step_ + std::max<std::int64_t>(steps_, 1) - 1;
  casts.steps = steps_;
  casts.step_seconds = steps_ > 0 ? seconds_ / static_cast<double>(steps_) : 0;
  const std::vector<autocast::LedgerRow> rows = ledger_.rows();
  ledger_.reset();
  const std::int64_t steps = std::exchange(steps_, 0);
  seconds_ = 0;
  reported_ = Clock::now();
  if (steps == 0) return casts;
  if (!sources_) sources_.emplace(sources_of(training_));
  for (const autocast::LedgerRow& row : rows) {
    wire::CastLine& made = casts.lines.emplace_back(line(row));
    const auto share = static_cast<double>(steps);
    made.casts = static_cast<double>(row.count.made) / share;
    made.saved = static_cast<double>(row.count.saved) / share;
    made.bytes = static_cast<double>(row.count.bytes) / share;
    made.seconds = static_cast<double>(row.count.nanoseconds) / 1e9 / share;
  }
  std::stable_sort(casts.lines.begin(), casts.lines.end(),
                   [](const wire::CastLine& a, const wire::CastLine& b) { return a.bytes > b.bytes; });
  // Without an earlier try its duration is estimated from a step's: no forward takes longer.
  const double next = std::max(savings_.seconds_of_next(), 4 * casts.step_seconds);
  if (savings_.seconds() + next <= kTryShare * trained_) savings_.try_next(casts);
  savings_.fill(casts);
  return casts;
}

void CastCosts::measure_savings(wire::CastLedger& casts, int most) {
  while (most-- > 0 && savings_.try_next(casts)) continue;
  savings_.fill(casts);
}

/// A cast disappears if both ends agree. So the producing site gets the requested format. If no site produced the
/// value, as with a parameter, a buffer or an input of the model, the consuming site gets the value's format; so does a
/// site that casts inside its op. Where that is not enough, EditSavings finds out and takes the edit back.
wire::CastLine CastCosts::line(const autocast::LedgerRow& row) const {
  const graph::Site& site = *training_.sites[static_cast<std::size_t>(row.site)];
  const policy::Decision& decision = training_.policy->sites[static_cast<std::size_t>(row.site)];
  const bool named = decision.kind == policy::Decision::Kind::kFormat;
  wire::CastLine line;
  line.site = row.site;
  set_cause(training_, decision, line);
  line.widest = !named;
  line.single_calls = has_single_calls(*training_.policy, row.site);
  line.to = named ? decision.format : formats::kFloat32;
  if (row.argument == autocast::CastLedger::kInside) {
    const CastSources::Inner* inner = sources_->inside(row.site);
    if (inner == nullptr) return line;
    line.from = graph::stored_format(inner->from);
    // A site without a format of its own does not say to which one the ops inside it cast.
    if (!named) line.to = graph::stored_format(inner->to);
    remove_by(site, line.from, line);
    return line;
  }
  line.argument = site.argument_names[static_cast<std::size_t>(row.argument)];
  const CastSources::Source* source = sources_->find(row.site, row.argument, graph::dtype_of(line.to));
  if (source == nullptr) return line;
  line.from = graph::stored_format(source->dtype);
  if (source->site < 0) {
    remove_by(site, line.from, line);
  } else if (source->site != row.site) {
    remove_by(*training_.sites[static_cast<std::size_t>(source->site)], line.to, line);
  }
  return line;
}

}  // namespace binade::casts
