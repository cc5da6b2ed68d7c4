// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/policy/resolve.h"
#include "engine/wire/run_config.h"

#include <QDialog>
#include <QString>

#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace binade::app {

/// Returns how many op calls a match selects: `12 of 176 op calls`, or what is wrong with it.
QString observedCallsText(const QString& match, const std::vector<policy::SiteKey>& sites);

/// All observation settings of a run: level, interval, steps in between, and which op calls, with a live count of
/// matches. A match without op calls cannot be accepted.
class ObserveDialog : public QDialog {
  Q_OBJECT

 public:
  ObserveDialog(const wire::ObserveConfig& observe, std::vector<policy::SiteKey> sites, QWidget* parent = nullptr);

  /// Returns the edited settings; fields that the dialog does not show are unchanged.
  wire::ObserveConfig observe() const;

  QComboBox* level() const { return level_; }
  QSpinBox* every() const { return every_; }
  QCheckBox* inputs() const { return inputs_; }
  QCheckBox* parameters() const { return parameters_; }
  QCheckBox* between() const { return between_; }
  QLineEdit* sites() const { return sites_; }
  QLabel* found() const { return found_; }
  QPushButton* ok() const { return ok_; }

 private:
  void update();

  wire::ObserveConfig observe_;
  std::vector<policy::SiteKey> keys_;
  QComboBox* level_;
  QSpinBox* every_;
  QLabel* observes_;
  QCheckBox* inputs_;
  QCheckBox* parameters_;
  QCheckBox* between_;
  QLineEdit* sites_;
  QLabel* found_;
  QPushButton* ok_;
};

}  // namespace binade::app
