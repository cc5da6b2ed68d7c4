// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/form/form_section.h"
#include "engine/wire/data_preview.h"
#include "engine/wire/model_info.h"

class QLabel;
class QPushButton;
class QTableView;
class QStandardItemModel;

namespace binade::app {

/// Section for the source of batches, the mapping from arrays to arguments of forward and targets, and a preview of one
/// batch. The mapping's rows come from the model's forward.
class DataSection : public FormSection {
  Q_OBJECT

 public:
  explicit DataSection(RunDocument* document);

  /// Sets the model whose arguments are listed, and clears the preview.
  void setModel(const wire::ModelInfo& model);
  const wire::ModelInfo& model() const { return model_; }
  /// Sets the arrays in the files, offered as choices.
  void setArrays(const wire::DataArrays& arrays);
  /// Shows a batch, and the number of examples.
  void showPreview(const wire::DataPreview& preview);
  /// Shows why there is no preview.
  void showNoPreview(const Problem& problem);
  QTableView* previewTable() const { return table_; }

 Q_SIGNALS:
  /// The list of files changed; answered by setArrays().
  void arraysWanted(const std::vector<std::string>& files);
  /// The button was clicked; answered by showPreview() or showNoPreview().
  void previewWanted();

 private:
  void addKinds();
  void addFiles();
  void addPreview();
  /// Makes the mapping table for arguments of forward, or for targets.
  FormTable* mapping(bool targets);
  QStringList arrayNames() const;
  std::vector<std::string> argumentNames() const;

  RunDocument* document_;
  wire::ModelInfo model_;
  wire::DataArrays arrays_;
  std::vector<std::string> asked_files_;
  QPushButton* look_;
  QLabel* note_;
  QTableView* table_;
  QStandardItemModel* columns_;
};

}  // namespace binade::app
