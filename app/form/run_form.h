// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/run_document.h"
#include "engine/policy/resolve.h"
#include "engine/wire/data_preview.h"
#include "engine/wire/model_info.h"

#include <QList>
#include <QWidget>

#include <vector>

class QCheckBox;
class QGridLayout;

namespace binade::app {

class DataSection;
class FormSection;
class PolicySection;
class ScalerSection;

/// The whole run description as a form: what a JSON file for `binade-engine train` can say of a run, but its model.
/// Shows problems at their fields. The set-up card and the run configuration dock are two places for it.
class RunForm : public QWidget {
  Q_OBJECT

 public:
  /// `document` must outlive the form. `columns`: in how many columns sections stand side by side.
  RunForm(RunDocument* document, int columns, QWidget* parent = nullptr);

  /// The forward schema and the sites that the form speaks of.
  void setModel(const wire::ModelInfo& model);
  void setCapabilities(const policy::Capabilities& capabilities);
  /// One step without an optimizer: sections that mean nothing for it go away.
  void setFailedRun(bool failed);
  DataSection* data() const { return data_; }
  ScalerSection* scaler() const { return scaler_; }
  PolicySection* policy() const { return policy_; }

  /// Shows a problem at the field that its message names; false where it names none of them.
  bool showProblem(const Problem& problem);
  /// Goes to the first field with a problem; false where there is none.
  bool goToProblem();

 private:
  void refresh();
  bool showAt(const QString& path, const Problem& problem);
  QString hereNamed(QString path);

  RunDocument* document_;
  DataSection* data_;
  ScalerSection* scaler_;
  PolicySection* policy_;
  QList<FormSection*> sections_;
  QList<QWidget*> training_only_;
  QCheckBox* all_;
  QString shown_problem_;
};

}  // namespace binade::app
