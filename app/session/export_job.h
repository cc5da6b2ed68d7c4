// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_process.h"
#include "app/session/export_finding.h"
#include "engine/policy/policy.h"

#include <QJsonObject>
#include <QObject>
#include <QString>
#include <QStringList>

namespace binade::app {

/// What to export; the arguments of `binade-engine export`.
struct ExportOrder {
  QString model;
  policy::Policy policy;
  QString target;      ///< `torchscript`
  QString file;        ///< output file; an existing one is replaced once the new one is complete
  QStringList inputs;  ///< input specs for the proof; empty: the model has its own
  bool approximate = false;
};

/// The result.
struct ExportResult {
  QList<ExportFinding> findings;
  bool done = false;
  bool identical = false;
  QString difference;  ///< first difference, if not identical
  QString executor;    ///< why TorchScript's optimising executor cannot train it; usually empty
  int sites = 0;
  int casts = 0;
  int gradients = 0;  ///< number compared
  Problem problem;    ///< set unless `done`
};

/// Returns why this engine cannot export for the window: it runs on another computer. Empty if it can.
QString whyNoExport(const EngineCommand& engine);

/// Runs `binade-engine export` as a separate process and reads its output.
class ExportJob : public QObject {
  Q_OBJECT

 public:
  explicit ExportJob(EngineCommand engine, QObject* parent = nullptr);
  ~ExportJob() override;

  bool isRunning() const { return process_.isRunning(); }
  /// Starts an export; finished() follows. Does nothing if one is running.
  void start(const ExportOrder& order);
  /// Ends the export without changing existing files. finished() follows, with a problem.
  void cancel();

 Q_SIGNALS:
  void finished(const binade::app::ExportResult& result);

 private:
  void take(const QJsonObject& line);
  void end(bool well, const QString& said);
  bool putInPlace();

  EngineProcess process_;
  ExportOrder order_;
  ExportResult result_;
  QString written_;  ///< temporary output next to the final file
  bool cancelled_ = false;
};

}  // namespace binade::app
