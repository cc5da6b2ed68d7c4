// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/run_model.h"
#include "views/chain_view.h"

#include <QList>
#include <QString>

#include <vector>

namespace binade::app {

/// A change that would have kept a step finite, as one edit: rules for the policy, a loss scale, or both.
struct FixChoice {
  QString text;                         ///< names the undo step
  double scale = 0;                     ///< 0: as it is
  std::vector<policy::SiteRule> rules;  ///< added to the policy
  std::string scaler{};                 ///< whose scale that is, of several
  bool isEmpty() const { return scale <= 0 && rules.empty(); }
};

/// An event in words: what the inspector shows, ready to be laid out. Made anew for every event; a plain value.
struct EventStory {
  struct Fact {
    QString name;
    QString value;
    QString format;  ///< with a square before it; empty for none
    bool crimson = false;
    bool emulated = false;  ///< the square says so
  };
  struct Input {
    QString name;
    QString format;
    QString range;      ///< `2⁻¹⁴ … 65,504`
    QString notFinite;  ///< `2 inf, 1 NaN`; `0`
    QString zeros;
    bool crimson = false;
  };
  struct Tried {
    FixChoice change;
    bool finite = false;
    bool smallest = false;  ///< the one proposed
    QString afterwards;     ///< `held for 200 steps`
  };

  QString sentence;
  QString before;         ///< that the op call runs otherwise since an edit; empty where it does not
  bool replayed = false;  ///< the cause is proved by a replay
  bool harmless = false;  ///< the scaler has dealt with it
  QString verdict;        ///< a bold line
  QString explanation;    ///< a sentence or two under it
  QString whyRed;         ///< the same for a student, from the ground up; empty where there is nothing to explain
  QString source;         ///< the model's line, of the first cause; empty where not known
  QString replayNote;     ///< how it was found, and where the step is kept
  QList<Fact> facts;
  QList<Input> inputs;
  std::vector<views::ChainRow> chain;  ///< ids are sites
  QList<Tried> tried;
  QString triedNote;  ///< where that was tried, if on another step with the same first causes
};

/// A replay proves a cause once a step. The other events of that step follow from it, and are told with its cause.
EventStory storyOf(const RunModel& run, int event);

/// The whole story as text, to be pasted into a report.
QString storyText(const EventStory& story);

/// The event of the same step whose cause a replay has proved, where this one has no proof of its own; else itself.
int provedEventOf(const RunModel& run, int event);
/// Whether an event only follows from another one of its step: the list needs no row for it.
bool isConsequence(const RunModel& run, int event);

/// Sites that a replay found on the way from the first causes, in order; empty without a replay.
std::vector<int> pathOf(const wire::Event& event);

/// Those of them where it began.
std::vector<int> causesOf(const wire::Event& event);

/// The headline of a verdict: `Harmless: the loss scale was too high for one batch.`
QString verdictText(wire::Verdict verdict);

}  // namespace binade::app
