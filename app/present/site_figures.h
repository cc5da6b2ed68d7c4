// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/model/site_history.h"
#include "views/values/roles.h"

#include <QString>

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
  double safe_scale;         ///< largest power of two at which none of its gradients overflows; NaN: none was observed
  int decisive_tensor = -1;  ///< WatchedTensor::id of the tensor with the fewest doublings left
  double largest;            ///< its largest magnitude, at the current loss scale
  views::VerdictShape shape = views::VerdictShape::kNone;
  QString sentence;        ///< the verdict as text
  bool attention = false;  ///< the verdict needs attention

  SiteFigures();
};

/// Returns whether the newest observation of a tensor has infinities or NaN and otherwise only zeros.
bool holdsNothingFinite(const TensorTrack& track);

/// Computes the figures from the newest observations of a site's tensors: those of about the last 50 steps, and none
/// from before an edit of the op call.
SiteFigures figuresOf(const RunModel& run, int site);

/// Share of a tensor's norm in the values that become 0 in `format`, from the binades. 0 for a tensor of zeros.
double lostShare(const HistogramTrack::Column& column, const formats::Format& format);

}  // namespace binade::app
