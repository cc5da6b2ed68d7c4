// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/diagnostics.h"
#include "app/session/engine_process.h"

#include <QDialog>

class QListWidget;
class QPlainTextEdit;

namespace binade::app {

class Session;

/// Shows what a report on the program would contain, part by part, before it is saved or copied. Parts can be left out.
/// The engine's `probe` runs meanwhile.
class DiagnosticsDialog : public QDialog {
  Q_OBJECT

 public:
  /// Both must outlive the dialog.
  DiagnosticsDialog(Session* session, const QSettings* settings, QWidget* parent = nullptr);

  /// The parts, with a check mark each.
  QListWidget* list() const { return list_; }
  /// The text of the checked parts.
  QString text() const;
  /// Writes the text. Returns what went wrong; nullopt: nothing.
  std::optional<Problem> save(const QString& file) const;

 Q_SIGNALS:
  void saved(const QString& file);
  void problem(const binade::app::Problem& problem);

 private:
  void addPart(const DiagnosticsPart& part);
  void probe();
  void showPart(int row);
  void chooseFile();

  Session* session_;
  QList<DiagnosticsPart> parts_;
  EngineProcess probe_;
  QListWidget* list_;
  QPlainTextEdit* preview_;
};

}  // namespace binade::app
