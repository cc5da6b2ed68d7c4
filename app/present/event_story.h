// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "views/values/chain_row.h"
#include "views/values/picked_number.h"

#include <QList>
#include <QString>

#include <optional>
#include <vector>

namespace binade::app {

/// A change that would have kept a step finite, as one edit: rules for the policy, a loss scale, or both.
struct FixChoice {
  QString text;                         ///< name of the undo step
  double scale = 0;                     ///< 0: unchanged
  std::vector<policy::SiteRule> rules;  ///< added to the policy
  std::string scaler{};                 ///< id of the scaler whose scale it is, in a run with several
  bool isEmpty() const { return scale <= 0 && rules.empty(); }
};

/// An event as text, ready for the inspector. Created anew for every event; a value type.
struct EventStory {
  struct Fact {
    QString name;
    QString value;
    QString format;  ///< shown with its square; empty: none
    bool crimson = false;
    bool emulated = false;                        ///< shown by the square
    std::optional<views::PickedNumber> number{};  ///< the value, if it is one number
  };
  struct Input {
    QString name;
    QString format;
    QString range;      ///< `2⁻¹⁴ … 65,504`
    QString notFinite;  ///< `2 inf, 1 NaN`; `0`
    QString zeros;
    bool crimson = false;
    std::optional<views::PickedNumber> largest{};  ///< the upper end of the range
  };
  struct Tried {
    FixChoice change;
    bool finite = false;
    bool smallest = false;  ///< the proposed one
    /// Doublings of the scale until a gradient of the step overflows, from the safe scales of the step with this
    /// change; nullopt if they were not measured: of changes that are not finite, or beside several scalers.
    std::optional<int> doublings{};
    /// Share of a gradient's norm that becomes 0 at this scale, at most: `≤ 1 %`; `–`: unknown.
    QString lost = QStringLiteral("–");
    QString afterwards{};  ///< `held for 200 steps`
    QString brief{};       ///< the change with a short name of its op call, `fc1 in bfloat16`; empty: there is none
  };

  QString sentence;
  QString before;         ///< states that the op call has run differently since an edit; else empty
  bool replayed = false;  ///< the cause is proved by a replay
  bool harmless = false;  ///< the scaler has handled it
  bool repair = false;    ///< a search for the smallest change that repairs the policy is worth its time
  QString verdict;        ///< a bold line
  QString explanation;    ///< a sentence or two below it
  QString whyRed;         ///< the same explained from first principles; empty if there is nothing to explain
  QString source;         ///< source line of the first cause; empty: unknown
  QString replayNote;     ///< how it was found, and where the step is saved
  QList<Fact> facts;
  QList<Input> inputs;
  std::vector<views::ChainRow> chain;  ///< ids are sites
  QList<Tried> tried;
  QString triedNote;  ///< where that was tried, if on another step with the same first causes
};

/// Creates the story of an event. A replay proves one cause per step; other events of the step are described with that
/// cause.
EventStory storyOf(const RunModel& run, int event);

/// The whole story as text, for a report.
QString storyText(const EventStory& story);

/// Returns the event of the same step whose cause a replay has proved, if this one has no proof; else `event`.
int provedEventOf(const RunModel& run, int event);
/// Returns whether an event only follows from another one of its step, so that the list needs no row for it.
bool isConsequence(const RunModel& run, int event);

/// Returns the sites on the path from the first causes, as found by a replay, in order; empty without a replay.
std::vector<int> pathOf(const wire::Event& event);

/// Returns those of them where the path starts.
std::vector<int> causesOf(const wire::Event& event);

/// Returns the op call that gives the loss; -1 if the run has several losses or none is known.
int lossOf(const RunModel& run);

/// The headline of a verdict: `Harmless. The scaler has handled it.`
QString verdictText(wire::Verdict verdict);

}  // namespace binade::app
