// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/assigned_run.h"
#include "app/window/torchscript_page.h"

#include <QDialog>

#include <cstdint>
#include <memory>
#include <optional>

class QLabel;
class QListWidget;
class QSettings;
class QStackedWidget;

namespace binade::app {

class TextTargetPage;

/// What can be exported.
struct ExportChoice {
  ExportOrder order;                       ///< for the target torchscript, with a proposed file
  std::shared_ptr<const AssignedRun> run;  ///< for the other targets; null: no model is open
  QString policy;                          ///< name as shown in the window
  QString changes;                         ///< number of its changes: `2 changes`; empty: none
  QString stem;                            ///< proposed file of the other targets, without its suffix
  std::optional<std::int64_t>
      trained;  ///< number of training steps behind the available weights; nullopt: none available
};

/// Exports a policy: a list of targets (TorchScript, texts for other programs, texts for people), and a page for the
/// chosen one. Opens with the target that the user chose last. Stays open afterwards.
class ExportDialog : public QDialog {
  Q_OBJECT

 public:
  /// `settings` keeps the last target and may be null; otherwise it must outlive the dialog.
  ExportDialog(ExportChoice choice, EngineCommand engine, TorchScriptPage::SaveTrained save_trained,
               QSettings* settings = nullptr, QWidget* parent = nullptr);

  /// Chooses a target by its name on the command line. Does nothing for an unknown one.
  void choose(const QString& name);
  /// The chosen target's name.
  QString chosen() const;

  QListWidget* list() const { return list_; }
  /// What reads the chosen target, a sentence.
  QLabel* sentence() const { return sentence_; }
  TorchScriptPage* torchScript() const { return torchscript_; }
  TextTargetPage* text() const { return text_; }

 Q_SIGNALS:
  /// A file was written that the explorer can open.
  void exported(const QString& file);

 protected:
  void reject() override;

 private:
  void fillList();
  void layOut(const ExportChoice& choice);
  void showChosen();

  QSettings* settings_;
  QListWidget* list_;
  QLabel* sentence_;
  QStackedWidget* pages_;
  TorchScriptPage* torchscript_;
  TextTargetPage* text_;
};

}  // namespace binade::app
