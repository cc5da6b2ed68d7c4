// SPDX-License-Identifier: Apache-2.0
#include "app/present/site_figures.h"

#include "app/model/site_name.h"
#include "app/model/translate.h"
#include "app/model/vanished_overflow.h"
#include "app/present/call_counts.h"
#include "engine/formats/effect.h"
#include "views/values/numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace binade::app {

namespace {

using views::VerdictShape;

constexpr std::int64_t kNewestSteps = 50;
constexpr double kTightBelow = 1;
constexpr double kNoticeableLoss = 0.001;
// From here on range is no limit: float32 and bfloat16 have some 127 binades above 1.
constexpr double kRangeIsNoLimit = 40;
constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

struct TensorFigures {
  double doublings = kNotKnown;
  double largest = kNotKnown;  // magnitude that decides `doublings`
  double lost = kNotKnown;
  bool censored = false;
  bool overflowed = false;
  bool nothing_finite = false;  // newest observation: infinities or NaN, and apart from them at most zeros
  bool all_zero = false;        // newest observation: only zeros
  std::int64_t until = std::numeric_limits<std::int64_t>::max();  // newest step at which all of these still count
};

// Returns the number of NaN and +inf if the newest observation has no finite non-zero value; otherwise nullopt. Also
// nullopt for a mask, which consists of -inf and 0 by design.
std::optional<std::uint64_t> aloneInTensor(const RunModel& run, const TensorTrack& track) {
  const int last = run.shownColumn(track);
  const std::int64_t at = last < 0 ? -1 : track.histograms.column(last).last_step;
  const auto alone = [](float largest, std::uint64_t below, std::uint64_t others) -> std::optional<std::uint64_t> {
    if (largest > 0 || (below > 0 && others == 0)) return std::nullopt;
    return others;
  };
  if (const ScanPoint* scan = run.shownScan(track); scan != nullptr && scan->step > at) {
    return alone(scan->largest, scan->non_finite - scan->nan_or_above, scan->nan_or_above);
  }
  if (last < 0) return std::nullopt;
  if (track.histograms.latestStep() != at) {
    // Of earlier steps only the number of all non-finite values is known. A mask has zeros beside them.
    const HistogramTrack::Column column = track.histograms.column(last);
    if (column.zero > 0 && column.non_finite > 0) return std::nullopt;
    return alone(column.largest, 0, column.non_finite);
  }
  const formats::TensorStats& latest = track.histograms.latest();
  return alone(latest.largest, latest.negative_infinity, latest.nan + latest.positive_infinity);
}

// Adds the largest magnitude of one observation, converted to the current loss scale, with which gradients grow.
// `shift`: number of doublings by which the current scale is smaller.
void measureRange(TensorFigures& figures, const formats::Format& format, float largest, std::uint64_t overflow,
                  std::uint64_t non_finite, double shift) {
  if (overflow > 0 && shift <= 0) figures.overflowed = true;
  // Next to propagated infinities, the rest of a tensor has little to do with its range.
  if (!(largest > 0) || (non_finite > 0 && overflow == 0)) return;
  const double left = std::log2(format.overflow_limit() / static_cast<double>(largest)) + shift;
  if (figures.doublings <= left) return;
  figures.doublings = left;
  figures.largest = static_cast<double>(largest) * std::exp2(-shift);
}

// Returns whether an argument is no longer cast. Such arguments are not observed: their figures belong to an earlier
// policy.
bool isCastNoMore(const RunModel& run, const TensorTrack& track) {
  return track.tensor.kind == wire::WatchedTensor::Kind::kInput && run.observedUnderPolicy() > 0 &&
         run.lastSeen(track) < run.shownPolicy().step;
}

template <typename Shift>
void measureLatest(TensorFigures& figures, const TensorTrack& track, std::int64_t since, std::int64_t shown,
                   Shift&& shift) {
  if (track.histograms.latestStep() < since || track.histograms.latestStep() > shown) return;
  const formats::TensorStats& stats = track.histograms.latest();
  const formats::Format& format = track.tensor.format;
  measureRange(figures, format, stats.largest, stats.overflow, stats.non_finite(),
               shift(track.histograms.latestScale()));
  if (stats.non_finite() > 0 && stats.overflow == 0) return;
  figures.lost = std::fmax(figures.lost, formats::effect_of(stats, format).zero.norm.low);
  figures.censored |= stats.censored;
}

// Ignores observations before step `since`, which belong to another decision.
TensorFigures measure(const RunModel& run, const TensorTrack& track, std::int64_t since, bool scaled) {
  TensorFigures figures;
  const formats::Format& format = track.tensor.format;
  const StepPoint shown = run.shownPoint();
  const auto shift = [&](double scale) { return scaled ? std::log2(scale / shown.next_scale) : 0; };
  // A tensor that is no longer observed keeps its last figures.
  const std::int64_t seen = run.lastSeen(track);
  const std::int64_t oldest = std::max(since, std::min(shown.step - kNewestSteps, seen));
  const auto counts = [&](std::int64_t step) {
    if (step < seen) figures.until = std::min(figures.until, step + kNewestSteps);
  };
  for (int i = run.shownColumn(track); i >= 0; --i) {
    const HistogramTrack::Column column = track.histograms.column(i);
    if (column.last_step < oldest) break;
    if (column.first_step < since) {
      // The column also covers earlier steps: uses the newest observation, which is kept separately.
      measureLatest(figures, track, since, shown.step, shift);
      break;
    }
    counts(column.last_step);
    measureRange(figures, format, column.largest, column.overflow, column.non_finite, shift(column.scale));
    if (column.non_finite > 0 && column.overflow == 0) continue;
    figures.lost = std::fmax(figures.lost, std::isnan(column.lost) ? lostShare(column, format) : column.lost);
    figures.censored |= column.censored;
  }
  const auto measure_scans = [&](const auto& scans) {
    for (auto scan = scans.rbegin(); scan != scans.rend() && scan->step >= oldest; ++scan) {
      if (scan->first_step > shown.step || scan->first_step < since) continue;
      counts(scan->step);
      measureRange(figures, format, scan->largest, scan->overflow, scan->non_finite, shift(scan->scale));
      figures.censored |= scan->censored;
    }
  };
  measure_scans(track.scans);
  if (run.shownStep()) measure_scans(track.older_scans);
  if (const auto alone = aloneInTensor(run, track)) {
    figures.nothing_finite = *alone > 0;
    figures.all_zero = *alone == 0;
  }
  return figures;
}

// Returns whether an event named the site within the newest steps; older ones are only counted.
bool isRecent(const RunModel& run, int site) {
  const std::vector<int>& events = run.eventsOf(site);
  const auto newest = std::find_if(events.rbegin(), events.rend(), [&](int index) {
    return run.isShown(run.events()[static_cast<std::size_t>(index)]);
  });
  return newest != events.rend() && !run.steps().empty() &&
         run.shownPoint().step - run.events()[static_cast<std::size_t>(*newest)].step < kNewestSteps;
}

void judge(SiteFigures& figures, const RunModel& run, int site, bool overflowed, bool gradient, bool zero_gradient) {
  const policy::Decision* decision = run.decision(site);
  const auto verdict = [&](VerdictShape shape, const QString& sentence, bool attention = false) {
    figures.shape = shape;
    figures.sentence = sentence;
    figures.attention = attention;
  };
  if (decision != nullptr && decision->kind == policy::Decision::Kind::kBanned) {
    return verdict(VerdictShape::kNone, tr("Banned by the base list"), true);
  }
  if (!figures.executed) {
    return verdict(VerdictShape::kNone, knowsEveryCall(run) ? tr("Never executed") : tr("Not observed so far"));
  }
  if (figures.unseen_since >= 0) {
    return verdict(VerdictShape::kNone,
                   tr("Not observed since the edit at step %1").arg(views::grouped(figures.unseen_since)));
  }
  if (figures.nothing_finite) return verdict(VerdictShape::kCarriedOn, tr("No finite value: all inf or NaN"), true);
  if (figures.overflows.cast > 0 && isRecent(run, site)) {
    return verdict(VerdictShape::kOverflow,
                   tr("The cast of %1 overflows in %2").arg(figures.overflows.argument, figures.overflows.format),
                   true);
  }
  if (std::isnan(figures.doublings) && !zero_gradient) return verdict(VerdictShape::kNone, QString());
  if (figures.doublings <= 0 || overflowed) {
    return verdict(VerdictShape::kOverflow,
                   gradient ? tr("Overflows at the current scale") : tr("Overflows in its format"), true);
  }
  if (figures.doublings < kTightBelow) {
    return verdict(
        VerdictShape::kTight,
        gradient ? tr("Tight, safe to %1").arg(views::scaleText(figures.safe_scale)) : tr("Tight: below one doubling"),
        true);
  }
  if (zero_gradient) return verdict(VerdictShape::kLost, tr("One of its gradients is all 0"), true);
  if (figures.lost >= kNoticeableLoss) {
    return verdict(VerdictShape::kLost, tr("%1 of its norm becomes 0").arg(views::share(figures.lost)), true);
  }
  if (figures.doublings >= kRangeIsNoLimit) {
    const bool by_list =
        decision != nullptr && decision->rule == policy::kFromBase && decision->kind == policy::Decision::Kind::kFormat;
    return verdict(VerdictShape::kFits,
                   by_list
                       ? tr("Fits, %1 by the base list").arg(QString::fromStdString(formats::name(decision->format)))
                       : tr("Fits at any scale"));
  }
  verdict(VerdictShape::kFits,
          gradient ? tr("Fits, safe to %1").arg(views::scaleText(figures.safe_scale)) : tr("Fits"));
}

}  // namespace

SiteFigures::SiteFigures()
    : doublings(kNotKnown),
      forward(kNotKnown),
      backward(kNotKnown),
      lost(kNotKnown),
      safe_scale(kNotKnown),
      largest(kNotKnown) {}

double lostShare(const HistogramTrack::Column& column, const formats::Format& format) {
  if (!(column.sum_of_squares > 0)) return 0;
  const double limit = format.underflow_limit();
  double lost = 0;
  for (std::size_t i = 0; i < column.binades.size(); ++i) {
    const double low = std::ldexp(1.0, column.first_binade + static_cast<int>(i));
    if (2 * low > limit) break;
    lost += column.binades[i] * low * low * (7.0 / 3.0);  // mean square of values spread evenly over a binade
  }
  return std::min(1.0, std::sqrt(lost / column.sum_of_squares));
}

bool holdsNothingFinite(const RunModel& run, const TensorTrack& track) {
  return aloneInTensor(run, track).value_or(0) > 0;
}

SiteFigures figuresOf(const RunModel& run, int site) {
  SiteFigures figures;
  const std::vector<int>& tensors = run.tensorsOf(site);
  figures.executed = hasRow(run, site);
  figures.overflows = overflowsAt(run, site);
  const std::int64_t since = decidedSince(run, site);
  if (isUnseenSinceEdit(run, site)) figures.unseen_since = since;
  bool overflowed = false;
  bool gradient_decides = false;
  bool zero_gradient = false;
  if (!run.steps().empty() && figures.unseen_since < 0) {
    double gradient_doublings = kNotKnown;
    for (const int id : tensors) {
      const TensorTrack& track = *run.tensor(id);
      const std::int64_t seen = run.lastSeen(track);
      if (isCastNoMore(run, track) || seen < since) continue;
      figures.observed_step = std::max(figures.observed_step, seen);
      const bool gradient = run.movesWithScale(track.tensor);
      const TensorFigures of_tensor = measure(run, track, since, gradient);
      figures.valid_until = std::min(figures.valid_until, of_tensor.until);
      overflowed |= of_tensor.overflowed;
      zero_gradient |= wire::is_gradient(track.tensor) && of_tensor.all_zero;
      if (of_tensor.nothing_finite) {
        figures.nothing_finite = true;
        figures.decisive_tensor = id;
        continue;
      }
      // The format of the op call does not affect how a parameter is stored.
      if (isOfParameter(track.tensor)) continue;
      // After rounding, values that became 0 cannot be counted.
      if (!of_tensor.censored && !std::isnan(of_tensor.lost) && !(of_tensor.lost <= figures.lost)) {
        figures.lost = of_tensor.lost;
        figures.lost_tensor = id;
      }
      if (std::isnan(of_tensor.doublings)) continue;
      double& of_direction = wire::is_gradient(track.tensor) ? figures.backward : figures.forward;
      of_direction = std::fmin(of_direction, of_tensor.doublings);
      if (gradient) gradient_doublings = std::fmin(gradient_doublings, of_tensor.doublings);
      if (std::isnan(figures.doublings) || of_tensor.doublings < figures.doublings) {
        figures.doublings = of_tensor.doublings;
        figures.largest = of_tensor.largest;
        if (!figures.nothing_finite) figures.decisive_tensor = id;
        figures.bound = of_tensor.censored && of_tensor.overflowed;
        gradient_decides = gradient;
      }
    }
    if (!std::isnan(gradient_doublings)) {
      figures.safe_scale = std::exp2(std::floor(std::log2(run.shownPoint().next_scale) + gradient_doublings));
    }
  }
  // After rounding, an overflow cannot be distinguished from other infinities. The silent fault proves the overflow.
  if (const wire::SilentFault* vanished = vanishedOverflowAt(run, site)) {
    overflowed = true;
    gradient_decides = false;
    const double least = vanished->largest ? std::log2(vanished->format.overflow_limit() / *vanished->largest) : 0;
    figures.forward = std::fmin(figures.forward, std::fmin(least, 0));
    figures.doublings = std::fmin(figures.doublings, figures.forward);
    figures.overflows.own = std::max(figures.overflows.own, static_cast<int>(vanished->seen));
    figures.valid_until = -1;  // how long a silent fault lasts depends on the report
  }
  if (isRecent(run, site)) {
    const std::int64_t named = run.events()[static_cast<std::size_t>(run.eventsOf(site).back())].step;
    figures.valid_until = std::min(figures.valid_until, named + kNewestSteps - 1);
  }
  // No headroom at all: such an op call sorts first.
  if (figures.nothing_finite) figures.doublings = -std::numeric_limits<double>::infinity();
  judge(figures, run, site, overflowed, gradient_decides, zero_gradient);
  return figures;
}

bool looksTheSame(const SiteFigures& a, const SiteFigures& b) {
  const auto number = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  const SiteOverflows& one = a.overflows;
  const SiteOverflows& other = b.overflows;
  return a.executed == b.executed && a.unseen_since == b.unseen_since && number(a.doublings, b.doublings) &&
         number(a.forward, b.forward) && number(a.backward, b.backward) && number(a.lost, b.lost) &&
         a.lost_tensor == b.lost_tensor && a.bound == b.bound && a.nothing_finite == b.nothing_finite &&
         one.own == other.own && one.cast == other.cast && one.earlier == other.earlier &&
         one.argument == other.argument && one.format == other.format && number(a.safe_scale, b.safe_scale) &&
         a.decisive_tensor == b.decisive_tensor && number(a.largest, b.largest) && a.shape == b.shape &&
         a.sentence == b.sentence && a.attention == b.attention;
}

std::vector<double> secondsOfCalls(const RunModel& run) {
  std::vector<double> seconds(run.sites().size(), kNotKnown);
  for (const wire::SiteProfile& site : run.shownProfile().sites) {
    const auto at = static_cast<std::size_t>(site.site);
    if (at >= seconds.size() || site.emulated || isTimedBeforeEdit(run, site.site)) continue;
    seconds[at] = site.forward + site.backward + site.accumulate;
  }
  return seconds;
}

SiteStamp stampOf(const RunModel& run, int site) {
  SiteStamp stamp;
  for (const int id : run.tensorsOf(site)) {
    const TensorTrack& track = *run.tensor(id);
    // Two observations of one step differ in number, merged columns in their newest step.
    stamp.observed += (id + 1) + run.lastSeen(track) * 1024 + track.histograms.latestStep() * 64 +
                      std::int64_t{track.histograms.size()} * 8 + static_cast<std::int64_t>(track.scans.size());
  }
  stamp.events = run.eventsOf(site).size();
  const ForgottenSteps forgotten = run.forgottenAt(site);
  stamp.forgotten = forgotten.own.count + forgotten.cast.count + forgotten.earlier.count;
  stamp.executed = run.isExecuted(site);
  return stamp;
}

FiguresStamp stampOf(const RunModel& run) {
  FiguresStamp stamp;
  stamp.policies = run.policies().size();
  stamp.scaler_edits = run.scalerEdits().size();
  stamp.scale = run.steps().empty() ? 0 : run.shownPoint().next_scale;
  stamp.shown = run.shownStep();
  stamp.observed = run.hasObservations();
  stamp.observed_under_policy = run.observedUnderPolicy() > 0;
  stamp.knows_every_call = knowsEveryCall(run);
  if (run.silent()) stamp.silent = run.silent()->last_step;
  stamp.active = run.isActive();
  return stamp;
}

}  // namespace binade::app
