// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/docks/dock.h"
#include "app/model/problem.h"
#include "app/model/run_model.h"
#include "app/session/selection.h"
#include "engine/wire/what_if.h"

#include <string>
#include <variant>
#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTableView;

namespace binade::views {
class BlockView;
}

namespace binade::app {

class CellModel;

/// What each format with scales would do to an operand of the selected op call: the engine quantizes the operand of
/// the next step to all of them, and sends the worst blocks of one format. The figures are measured on the values
/// themselves, and the dock says so.
class WhatIfDock : public Dock {
  Q_OBJECT

 public:
  /// Both must outlive the dock.
  WhatIfDock(RunModel* run, Selection* selection, QWidget* parent = nullptr);

  QComboBox* operands() const { return operands_; }
  QPushButton* measure() const { return measure_; }
  QTableView* table() const { return table_; }
  CellModel* model() const { return model_; }
  views::BlockView* blocks() const { return blocks_; }
  QLabel* source() const { return source_; }

 public Q_SLOTS:
  /// The answer to the newest request.
  void showAnswer(const std::variant<binade::wire::WhatIf, binade::app::Problem>& answer);

 Q_SIGNALS:
  void measureRequested(const binade::wire::AskWhatIf& question);

 private:
  void request(const std::string& format);
  /// Removes the rows and the blocks.
  void clear();
  void forget();
  void update();
  /// The selected op call if it has products; -1: none.
  int site() const;

  RunModel* run_;
  Selection* selection_;
  QComboBox* operands_;
  QPushButton* measure_;
  QLabel* call_;
  QLabel* source_;
  QTableView* table_;
  CellModel* model_;
  views::BlockView* blocks_;
  std::vector<std::string> formats_;  ///< by the id of a row
  bool waiting_ = false;
  int shown_site_ = -1;
};

}  // namespace binade::app
