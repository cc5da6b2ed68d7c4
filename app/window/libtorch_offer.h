// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/session/libtorch_setup.h"

#include <QDialog>
#include <QPointer>

class QLabel;
class QProgressBar;
class QPushButton;

namespace binade::app {

class Session;

/// Offers to install LibTorch: size and place, then the progress. Closing it cancels an installation.
class LibTorchDialog : public QDialog {
  Q_OBJECT

 public:
  explicit LibTorchDialog(const EngineCommand& engine, QWidget* parent = nullptr);

  QPushButton* downloadButton() const { return download_; }
  QPushButton* folderButton() const { return folder_; }
  QLabel* text() const { return text_; }

 public Q_SLOTS:
  void reject() override;

 private:
  void showPlan(const LibTorchPlan& plan);
  void install(const QString& folder);
  void showProgress(bool unpacking, const QString& file, qint64 bytes, qint64 of);
  void showProblem(const Problem& problem);

  LibTorchSetup setup_;
  QLabel* text_;
  QLabel* state_;
  QProgressBar* bar_;
  QPushButton* download_;
  QPushButton* folder_;
};

/// Opens the dialog when a local engine has no LibTorch. Once it is installed, the engine is started.
class LibTorchOffer : public QObject {
  Q_OBJECT

 public:
  /// Both must outlive the object.
  LibTorchOffer(Session* session, QWidget* window, QObject* parent = nullptr);

  /// Null while none is open.
  LibTorchDialog* dialog() const { return dialog_; }

 Q_SIGNALS:
  /// LibTorch was installed, and the engine is starting.
  void installed();

 private:
  void open();

  Session* session_;
  QWidget* window_;
  QPointer<LibTorchDialog> dialog_;
};

}  // namespace binade::app
