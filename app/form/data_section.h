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

/// Where batches come from, how arrays of files map to the arguments of forward and to targets, and one batch to look
/// at. The rows of the mapping are made from the model's forward.
class DataSection : public FormSection {
  Q_OBJECT

 public:
  explicit DataSection(RunDocument* document);

  void setModel(const wire::ModelInfo& model);
  const wire::ModelInfo& model() const { return model_; }
  /// What the files hold, to choose from.
  void setArrays(const wire::DataArrays& arrays);
  void showPreview(const wire::DataPreview& preview);
  /// Why there is none.
  void showNoPreview(const Problem& problem);
  QTableView* previewTable() const { return table_; }

 Q_SIGNALS:
  /// Answered by setArrays().
  void arraysWanted(const std::vector<std::string>& files);
  /// Answered by showPreview() or showNoPreview().
  void previewWanted();

 private:
  void addKinds();
  void addFiles();
  void addPreview();
  /// A mapping table: of the arguments of forward, or of targets.
  FormTable* mapping(bool targets);
  QStringList arrayNames() const;
  std::vector<std::string> argumentNames() const;

  RunDocument* document_;
  wire::ModelInfo model_;
  wire::DataArrays arrays_;
  std::vector<std::string> asked_files_;
  QPushButton* look_;
  QLabel* said_;
  QTableView* table_;
  QStandardItemModel* columns_;
};

}  // namespace binade::app
