// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"
#include "app/site_history.h"
#include "views/table/roles.h"

#include <QString>

namespace binade::app {

/// What the table says of one op call; what is not known is NaN.
struct SiteFigures {
  bool executed = true;            ///< hasRow(): false once calls are known and this one was not met
  std::int64_t unseen_since = -1;  ///< it was edited at this step and not looked at since: there are no figures of it
  double doublings;                ///< least over its tensors in the newest observations, at the present loss scale
  double forward;                  ///< of them those of tensors that forward makes or is given ...
  double backward;                 ///< ... and those of gradients
  double lost;                     ///< largest share of a tensor's norm that becomes 0, of those seen before rounding
  int lost_tensor = -1;            ///< WatchedTensor::id of that tensor
  bool bound = false;              ///< the tensor was seen after rounding: `doublings` is a bound
  bool nothing_finite = false;     ///< the newest look at one of its tensors found infinities or NaN and no other value
  SiteOverflows overflows;         ///< steps whose events name the call
  double safe_scale;         ///< largest power of two at which no gradient of it overflows; NaN where none was seen
  int decisive_tensor = -1;  ///< WatchedTensor::id of the tensor with the fewest doublings left
  views::VerdictShape shape = views::VerdictShape::kNone;
  QString sentence;        ///< the verdict in words
  bool attention = false;  ///< the verdict asks to be read

  SiteFigures();
};

/// Whether the newest look at a tensor found infinities or NaN and no other value, but for zeros.
bool holdsNothingFinite(const TensorTrack& track);

/// Looks at the newest observations of a site's tensors: those of about the last 50 steps, and none of before an edit
/// of the call.
SiteFigures figuresOf(const RunModel& run, int site);

/// Share of a tensor's norm carried by the values that become 0 in `format`, from the binades. 0 for a tensor without
/// non-zero values.
double lostShare(const HistogramTrack::Column& column, const formats::Format& format);

}  // namespace binade::app
