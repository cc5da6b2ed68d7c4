// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/file_question.h"
#include "app/session/run_document.h"
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

/// The run description as a form: everything that a JSON file for `binade-engine train` can hold, except the model.
/// Shows problems at their fields. Used by the set-up page and the configuration dock.
class RunForm : public QWidget {
  Q_OBJECT

 public:
  /// `document` must outlive the form. `columns`: number of columns of sections.
  RunForm(RunDocument* document, int columns, QWidget* parent = nullptr);

  /// Sets the model whose forward schema and op calls the form uses.
  void setModel(const wire::ModelInfo& model);
  void setCapabilities(const policy::Capabilities& capabilities);
  /// Sets how the form asks for files: on this computer, unless it is set.
  void setAskFiles(const AskFiles& ask);
  /// Shows the form for one step without an optimizer, and hides sections that have no effect on it.
  void setFailedRun(bool failed);
  DataSection* data() const { return data_; }
  ScalerSection* scaler() const { return scaler_; }
  PolicySection* policy() const { return policy_; }

  /// Shows a problem at its field. Returns false if it has none, or none that the form shows.
  bool showProblem(const Problem& problem);
  /// Moves the focus to the field with the shown problem. Returns false if there is none.
  bool goToProblem();

 private:
  void refresh();
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
