// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/target_text_job.h"

#include <QWidget>

#include <memory>

class QCheckBox;
class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;

namespace binade::app {

/// Page of the export dialog: a policy as text for another program or for people. Shows the text before it is written,
/// what the target cannot express, and whether the text, read back, is the policy.
class TextTargetPage : public QWidget {
  Q_OBJECT

 public:
  /// `run`: null or without op calls if no model is open. `policy`: the policy's name in messages. `stem`: the proposed
  /// file without its suffix.
  TextTargetPage(std::shared_ptr<const AssignedRun> run, QString policy, QString stem, QWidget* parent = nullptr);

  /// Shows what this target writes.
  void setTarget(const targets::Target& target);

  QLabel* findings() const { return findings_; }
  /// What was read back, a sentence.
  QLabel* proof() const { return proof_; }
  QPlainTextEdit* preview() const { return preview_; }
  /// What the preview leaves out, a sentence.
  QLabel* cut() const { return cut_; }
  QCheckBox* approximate() const { return approximate_; }
  /// Why the text cannot be copied or saved, or what became of it: a sentence.
  QLabel* status() const { return status_; }
  QPushButton* copyButton() const { return copy_; }
  QPushButton* saveButton() const { return save_; }

  bool isBusy() const { return job_.isRunning(); }
  /// Writes the text; an existing file is replaced. Does nothing while the text may not be saved.
  void saveTo(const QString& file);

 public Q_SLOTS:
  /// Copies the whole text to the clipboard.
  void copy();
  /// Asks for a file and writes the text.
  void save();

 Q_SIGNALS:
  void saved(const QString& file);

 private:
  void layOut();
  /// Puts what was read back above the remarks, or below them if the text deviates: the worse news comes first.
  void placeProof();
  void showText(const TargetText& text);
  QString whyNot() const;
  void update();

  std::shared_ptr<const AssignedRun> run_;
  QString policy_;
  QString stem_;
  const targets::Target* target_ = nullptr;
  TargetText text_;
  TargetTextJob job_;
  QProgressBar* progress_;
  QLabel* findings_;
  QWidget* findings_area_ = nullptr;
  QLabel* proof_;
  QPlainTextEdit* preview_;
  QLabel* cut_;
  QCheckBox* approximate_;
  QLabel* status_;
  QPushButton* copy_;
  QPushButton* save_;
};

}  // namespace binade::app
