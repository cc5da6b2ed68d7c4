// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/engine_command.h"
#include "app/problem.h"
#include "engine/policy/policy.h"

#include <QByteArray>
#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QTemporaryDir>

#include <memory>

class QProcess;

namespace binade::app {

/// What to export: the words of `binade-engine export`.
struct ExportOrder {
  QString model;
  policy::Policy policy;
  QString target;      ///< `torchscript`
  QString file;        ///< to write; what is there already is replaced once the new one is whole
  QStringList inputs;  ///< specs of what the model is run on for the proof; empty where it has its own
  bool approximate = false;
};

/// What came of it.
struct ExportResult {
  /// Something that the file is not, or does in another way.
  struct Finding {
    QString kind;  ///< as the engine names it: `note`, `inexpressible`, ...
    QString message;
    QStringList sites;
  };
  QList<Finding> findings;
  bool done = false;
  bool identical = false;
  QString difference;  ///< where it is not identical, the first place
  QString executor;    ///< why TorchScript's optimising executor cannot train it; mostly empty
  int sites = 0;
  int casts = 0;
  int gradients = 0;  ///< that were compared
  Problem problem;    ///< where it is not done
};

/// Why this engine cannot export for the window: it is not one of this machine. Empty where it can.
QString whyNoExport(const EngineCommand& engine);

/// Runs `binade-engine export` beside the engine of the window, and reads what it says.
class ExportJob : public QObject {
  Q_OBJECT

 public:
  explicit ExportJob(EngineCommand engine, QObject* parent = nullptr);
  ~ExportJob() override;

  bool isRunning() const { return process_ != nullptr; }
  /// finished() follows. Nothing where one runs already.
  void start(const ExportOrder& order);
  /// Ends it; what was there before stays. finished() follows, with a problem that says so.
  void cancel();

 Q_SIGNALS:
  void finished(const binade::app::ExportResult& result);

 private:
  void readLines();
  void take(const QJsonObject& line);
  void end(bool well, const QString& what);
  bool putInPlace();

  EngineCommand engine_;
  ExportOrder order_;
  ExportResult result_;
  QByteArray partial_;
  QString written_;  ///< what the engine writes, beside the file that it becomes
  bool cancelled_ = false;
  std::unique_ptr<QTemporaryDir> folder_;
  QProcess* process_ = nullptr;
};

}  // namespace binade::app
