// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/wire/run_config.h"

#include <QFrame>

class QCheckBox;
class QLineEdit;

namespace binade::app {

/// The parameters of an active scaler, in a small window over the explorer: grows by 2 every 2,000 clean steps, backs
/// off by 0.5 after each overflow, between a floor and a ceiling. Return or leaving a field applies it, and so does a
/// click elsewhere, which closes the window. Escape closes it and discards the field that is being edited.
class ScalerPopover : public QFrame {
  Q_OBJECT

 public:
  explicit ScalerPopover(QWidget* parent = nullptr);

  /// Opens it at a rectangle of the screen, with the focus in the first field.
  void showAt(const QRect& place);
  /// Sets the current values. A field that is being edited is left alone.
  void setScaler(const wire::ScalerConfig& scaler);
  /// Whether the fields can be changed now; they are shown in any case.
  void setEditable(bool editable);
  QLineEdit* field(const QString& key) const;

 Q_SIGNALS:
  /// The user requested these parameters; scale and id are unchanged.
  void tuneRequested(const binade::wire::ScalerConfig& scaler);
  void problem(const binade::app::Problem& problem);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void discard();
  QLineEdit* add(const char* key, const QString& name, const QString& tip, int width);
  void showValues();
  void take();

  wire::ScalerConfig scaler_;
  bool editable_ = true;
  QLineEdit* growth_;
  QLineEdit* interval_;
  QLineEdit* backoff_;
  QLineEdit* hysteresis_;
  QLineEdit* floor_;
  QLineEdit* ceiling_;
  QCheckBox* static_;
};

}  // namespace binade::app
