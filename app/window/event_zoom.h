// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "views/plot/axis.h"

#include <QObject>

#include <cstdint>
#include <optional>

namespace binade::views {
class StepAxis;
}

namespace binade::app {

class RunModel;
class Selection;

/// Shows the steps around the selected event in all charts while Diagnose is shown. It changes only a view that shows
/// all steps or that it has set itself, so the user's own zoom stays. GUI thread.
class EventZoom : public QObject {
  Q_OBJECT

 public:
  /// All must outlive this object, except `parent`, which owns it.
  EventZoom(views::StepAxis* axis, Selection* selection, const RunModel* run, QObject* parent);

  /// Whether Diagnose is shown. Leaving it restores the view before, and the cursor if it is at the selected event.
  void setActive(bool active);

 private:
  void zoom();
  bool isOwn() const;

  views::StepAxis* axis_;
  Selection* selection_;
  const RunModel* run_;
  bool active_ = false;
  std::optional<views::Range> own_;          ///< the range set here
  std::optional<std::int64_t> step_before_;  ///< of the cursor when Diagnose was entered
};

}  // namespace binade::app
