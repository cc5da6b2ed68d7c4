// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QDialog>

#include <memory>

class QComboBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSettings;

namespace binade::app {

class EngineClient;
class HostFields;
class Session;
class SshFailure;

/// Connects the window to the engine of another computer: host, command, the ones used before. The engine is tried
/// first, beside the present one, which goes on until the other one has answered. If it does not answer, the dialog
/// shows what ssh wrote, unchanged.
class ConnectDialog : public QDialog {
  Q_OBJECT

 public:
  /// Both must outlive the dialog.
  ConnectDialog(Session* session, QSettings* settings, QWidget* parent = nullptr);
  ~ConnectDialog() override;

  QComboBox* host() const;
  QLineEdit* command() const;
  QPushButton* connectButton() const { return connect_; }
  /// Enabled while the engine is another computer's.
  QPushButton* hereButton() const { return here_; }
  /// What went wrong; empty: nothing so far.
  QString failure() const;
  /// What ssh, or the engine, wrote to standard error.
  QString errorOutput() const;

 Q_SIGNALS:
  /// The session uses the engine of this host.
  void connected(const QString& host);
  /// The user wants the engine of this computer.
  void ownEngineRequested();

 private:
  void tryEngine();
  void fail(const QString& what, const QString& said);
  void succeed();
  void useOwnEngine();
  void setTrying(bool trying);

  Session* session_;
  QSettings* settings_;
  std::unique_ptr<EngineClient> tried_;
  HostFields* fields_;
  SshFailure* failure_;
  QProgressBar* progress_;
  QPushButton* connect_;
  QPushButton* here_;
};

}  // namespace binade::app
