// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/model/problem.h"
#include "app/session/engine_process.h"

#include <QJsonObject>
#include <QObject>
#include <QString>

namespace binade::app {

/// What `binade-engine setup --check` reports.
struct LibTorchPlan {
  QString version;
  QString folder;       ///< where LibTorch is, or would be installed
  qint64 download = 0;  ///< bytes
  qint64 unpacked = 0;  ///< bytes on disk
  bool installed = false;
};

/// Runs `binade-engine setup` of a local engine, which installs LibTorch. One command at a time. GUI thread.
class LibTorchSetup : public QObject {
  Q_OBJECT

 public:
  explicit LibTorchSetup(EngineCommand engine, QObject* parent = nullptr);

  bool isRunning() const { return process_.isRunning(); }
  /// Asks for sizes and place; planned() or failed() follows.
  void plan();
  /// Installs LibTorch from the network, or from the wheels in `folder` if one is given; progressed() follows, then
  /// installed() or failed().
  void install(const QString& folder = {});
  /// Ends the installation; failed() follows. What was downloaded is kept for the next one.
  void cancel();

 Q_SIGNALS:
  void planned(const binade::app::LibTorchPlan& plan);
  /// `unpacking`: else downloading.
  void progressed(bool unpacking, const QString& file, qint64 bytes, qint64 of);
  void installed(const QString& folder);
  void failed(const binade::app::Problem& problem);

 private:
  void start(const QStringList& options);
  void take(const QJsonObject& line);
  void end(bool well, const QString& said);

  EngineProcess process_;
  bool answered_ = false;
  bool cancelled_ = false;
  Problem problem_;
};

}  // namespace binade::app
