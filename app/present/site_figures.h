// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/model/site_history.h"
#include "views/values/roles.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace binade::app {

/// The table's figures of one op call; NaN: unknown.
struct SiteFigures {
  bool executed = true;            ///< hasRow(): false once executed op calls are known and this one is not among them
  std::int64_t unseen_since = -1;  ///< the step of an edit since which it was not observed, so that there are no
                                   ///< figures; -1: none
  double doublings;                ///< the least over its tensors in the newest observations, at the current loss scale
  double forward;                  ///< the least over results and arguments in forward ...
  double backward;                 ///< ... and over gradients
  double lost;                     ///< largest share of a tensor's norm that becomes 0, of tensors observed before
                                   ///< rounding
  int lost_tensor = -1;            ///< WatchedTensor::id of that tensor
  bool bound = false;              ///< the tensor was observed after rounding, so `doublings` is a bound
  bool nothing_finite = false;     ///< the newest observation of one of its tensors has infinities or NaN and no other
                                   ///< value
  SiteOverflows overflows;         ///< steps with events that name the op call, or observations that show it
                                   ///< overflowing
  double safe_scale;  ///< largest power of two at which none of its gradients overflows; NaN: none was observed
  std::int64_t observed_step = -1;  ///< the newest step that the figures of its tensors are of; -1: none
  int decisive_tensor = -1;         ///< WatchedTensor::id of the tensor with the fewest doublings left
  double largest;                   ///< its largest magnitude, at the current loss scale
  views::VerdictShape shape = views::VerdictShape::kNone;
  QString sentence;        ///< the verdict as text
  bool attention = false;  ///< the verdict needs attention
  /// The newest step up to which these figures hold if the op call is neither observed nor edited again, nor named by
  /// an event: afterwards an observation is too old to count.
  std::int64_t valid_until = std::numeric_limits<std::int64_t>::max();

  SiteFigures();
};

/// Whether a table shows the same for both. `valid_until` does not count.
bool looksTheSame(const SiteFigures& a, const SiteFigures& b);

/// Everything but the newest step that the figures of an op call depend on. If it is unchanged and
/// SiteFigures::valid_until has not passed, the figures are unchanged.
struct SiteStamp {
  std::int64_t observed = 0;  ///< sum over its tensors: which they are, and what was observed of them
  std::size_t events = 0;     ///< that name it
  std::int64_t forgotten = 0;
  bool executed = false;
  friend bool operator==(const SiteStamp&, const SiteStamp&) = default;
};
SiteStamp stampOf(const RunModel& run, int site);

/// The part that all op calls share.
struct FiguresStamp {
  std::size_t policies = 0;
  std::size_t scaler_edits = 0;
  double scale = 0;                   ///< of the next step
  std::optional<std::int64_t> shown;  ///< RunModel::shownStep()
  bool observed = false;
  bool observed_under_policy = false;
  bool knows_every_call = false;
  std::int64_t silent = -1;  ///< last step of the newest report on silent faults
  bool active = false;
  friend bool operator==(const FiguresStamp&, const FiguresStamp&) = default;
};
FiguresStamp stampOf(const RunModel& run);

/// Returns whether the newest observation of a tensor has infinities or NaN and otherwise only zeros.
bool holdsNothingFinite(const RunModel& run, const TensorTrack& track);

/// Computes the figures from the newest observations of a site's tensors up to the shown step: those of about the last
/// 50 steps, and none from before an edit of the op call. Histograms of several steps may include later ones.
SiteFigures figuresOf(const RunModel& run, int site);

/// Returns the seconds of each op call in one step, by site, from the newest times. NaN: not measured since its edit,
/// or only in an emulation.
std::vector<double> secondsOfCalls(const RunModel& run);

/// Share of a tensor's norm in the values that become 0 in `format`, from the binades. 0 for a tensor of zeros.
double lostShare(const HistogramTrack::Column& column, const formats::Format& format);

}  // namespace binade::app
