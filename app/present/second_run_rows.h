// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/run_model.h"
#include "app/present/cell_model.h"
#include "app/present/site_figures.h"

#include <QList>
#include <QString>

#include <optional>
#include <vector>

namespace binade::app {

/// Two runs side by side, each at the step that it shows. Op calls are the same if they have the same name. Takes the
/// figures when they are asked for; both runs must outlive it.
class RunPair {
 public:
  RunPair(const RunModel& first, const RunModel& second);

  /// The second run's op call for one of the first; -1: it has none.
  int inSecond(int site) const;
  /// The number of op calls of the first run that the second has too.
  int common() const { return common_; }
  /// Takes times and differences of op calls anew. Call after a change of either run.
  void refresh();

  /// How an op call differs, in one cell: `bfloat16 → float16 · +3 overflows · −1.2 doublings`, from the second run to
  /// the first. Sorted by the weight of the difference. Computed once after each refresh().
  Cell differenceCell(int site) const;
  /// The op calls of both runs, with figures and differences. Ids are sites of the first.
  QList<CellRow> rows() const;
  static QList<CellModel::Column> columns();

  /// Where the policies in force differ, one row each: place, first, second.
  QList<CellRow> policyRows() const;
  static QList<CellModel::Column> policyColumns(const QString& second);

 private:
  struct Figures {
    QString format;
    SiteFigures table;
    double seconds;  ///< NaN: not measured
  };
  Cell newDifferenceCell(int site) const;
  Figures figures(const RunModel& run, const std::vector<double>& seconds, int site) const;

  const RunModel* first_;
  const RunModel* second_;
  std::vector<int> in_second_;  ///< by site of the first
  int common_ = 0;
  std::vector<double> first_seconds_;
  std::vector<double> second_seconds_;
  mutable std::vector<std::optional<Cell>> cells_;  ///< by site of the first; those that were asked for
};

}  // namespace binade::app
