// SPDX-License-Identifier: Apache-2.0
#include "app/docks/graph_layouter.h"

#include "views/graph/dot_text.h"

#include <QGuiApplication>
#include <QStandardPaths>

#include <memory>
#include <optional>
#include <utility>

namespace binade::app {

namespace {

constexpr int kDotTimeout = 3000;        // ms
constexpr qsizetype kMostOfPart = 8192;  // bytes that dot prints for a box or an edge; usual are 100
constexpr int kKillTimeout = 1000;       // ms

}  // namespace

GraphLayouter::GraphLayouter(const QString& dot, QObject* parent) : QObject(parent), dot_(dot) {
  timer_.setSingleShot(true);
  timer_.setInterval(kDotTimeout);
  connect(&timer_, &QTimer::timeout, this, [this] {
    fewer_than_ = input_.boxes.size();
    endDot();
    layOutHere();
  });
}

GraphLayouter::~GraphLayouter() {
  endDot();
}

QString GraphLayouter::findDot() {
  if (qEnvironmentVariableIsSet("BINADE_DOT")) return qEnvironmentVariable("BINADE_DOT");
  if (QGuiApplication::platformName() == QLatin1String("offscreen")) return {};
  return QStandardPaths::findExecutable(QStringLiteral("dot"));
}

void GraphLayouter::layOut(views::LayoutInput input, Done done) {
  endDot();
  worker_.cancel();
  input_ = std::move(input);
  done_ = std::move(done);
  if (!dot_.isEmpty() && !input_.boxes.empty() && input_.boxes.size() < fewer_than_) return startDot();
  layOutHere();
}

void GraphLayouter::startDot() {
  output_.clear();
  process_ = new QProcess(this);
  process_->setProcessChannelMode(QProcess::SeparateChannels);
  process_->setStandardErrorFile(QProcess::nullDevice());
  connect(process_, &QProcess::readyReadStandardOutput, this, [this] {
    output_ += process_->readAllStandardOutput();
    const auto parts = static_cast<qsizetype>(input_.boxes.size() + input_.edges.size());
    if (output_.size() > kMostOfPart * (parts + 1)) dotEnded(false);
  });
  connect(process_, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
    output_ += process_->readAllStandardOutput();
    dotEnded(status == QProcess::NormalExit && code == 0);
  });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) dotEnded(false);
  });
  timer_.start();
  process_->start(dot_, {QStringLiteral("-Tplain")});
  if (process_ == nullptr) return;  // it could not be started
  process_->write(views::dotText(input_));
  process_->closeWriteChannel();
}

void GraphLayouter::dotEnded(bool good) {
  endDot();
  if (!good) {
    dot_.clear();
    return layOutHere();
  }
  auto read = std::make_shared<std::optional<views::LayoutPlaces>>();
  worker_.run([this, read, text = std::move(output_), input = input_](const Worker::Caller& caller) {
    *read = views::readPlain(text, input);
    caller.post([this, read] {
      used_dot_ = read->has_value();
      if (used_dot_) return deliver(std::move(**read));
      dot_.clear();
      layOutHere();
    });
  });
}

void GraphLayouter::endDot() {
  timer_.stop();
  QProcess* process = std::exchange(process_, nullptr);
  if (process == nullptr) return;
  process->disconnect(this);
  if (process->state() != QProcess::NotRunning) {
    process->kill();
    process->waitForFinished(kKillTimeout);
  }
  process->deleteLater();
}

// The receiver may ask for the next layout at once.
void GraphLayouter::deliver(views::LayoutPlaces places) {
  const Done done = std::move(done_);
  done(std::move(places));
}

void GraphLayouter::layOutHere() {
  used_dot_ = false;
  if (input_.boxes.size() <= kAtOnce) return deliver(views::layOut(input_));
  auto places = std::make_shared<views::LayoutPlaces>();
  worker_.run([this, places, input = input_](const Worker::Caller& caller) {
    *places = views::layOut(input);
    caller.post([this, places] { deliver(std::move(*places)); });
  });
}

}  // namespace binade::app
