// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/present/history_rows.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

namespace binade::app {

/// Two entries of a history side by side. A value type.
struct HistoryComparison {
  struct Figure {
    QString name;
    QString before;  ///< `–`: not known
    QString after;
  };
  QString headline;        ///< `Revision 7 against 6`
  QList<Figure> figures;   ///< of the training under each of the two policies
  QStringList calls;       ///< op calls that the two treat differently: `fc/aten::linear#0: float16 → float32`
  QStringList rules;       ///< what differs in the policies: `sites: fc: none → [0] float32`
  std::vector<int> sites;  ///< those op calls
  policy::Policy before;
  policy::Policy after;

  /// All of it as text, with at most `most` op calls and as many rules.
  QString text(qsizetype most = 40) const;
};

/// Compares the policies of two entries, `first` as the older one. nullopt: one of them has none.
std::optional<HistoryComparison> compareEntries(const RunModel& run, const HistoryEntry& first,
                                                const HistoryEntry& second);

/// The question before a rewind, and what is lost by it.
struct RewindLoss {
  QString question;
  QString text;
};
RewindLoss rewindLoss(const RunModel& run, const HistoryEntry& entry);

/// What became of the training under an entry's policy, in a sentence or two for the entry alone: loss before and
/// since, casts, steps skipped. Empty if nothing is known.
QString historyDetail(const RunModel& run, const HistoryEntry& entry);

}  // namespace binade::app
