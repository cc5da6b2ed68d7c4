// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "engine/wire/run_config.h"

#include <QWidget>

class QCheckBox;
class QLineEdit;

namespace binade::app {

/// The parameters of an active scaler, as a line of text with fields: grows by 2 every 2,000 clean steps, backs off by
/// 0.5 after 1 overflow, between a floor and a ceiling. Wraps in a narrow place. Return or leaving a field applies it.
class ScalerStrip : public QWidget {
  Q_OBJECT

 public:
  explicit ScalerStrip(QWidget* parent = nullptr);

  /// Sets the current values. A field that is being edited is left alone.
  void setScaler(const wire::ScalerConfig& scaler);
  QLineEdit* field(const QString& key) const;

 Q_SIGNALS:
  /// The user requested these parameters; scale and id are unchanged.
  void tuneRequested(const binade::wire::ScalerConfig& scaler);
  void problem(const binade::app::Problem& problem);

 private:
  QLineEdit* add(const char* key, const QString& name, const QString& tip, int width);
  void showValues();
  void take();

  wire::ScalerConfig scaler_;
  QLineEdit* growth_;
  QLineEdit* interval_;
  QLineEdit* backoff_;
  QLineEdit* hysteresis_;
  QLineEdit* floor_;
  QLineEdit* ceiling_;
  QCheckBox* static_;
};

}  // namespace binade::app
