// SPDX-License-Identifier: Apache-2.0
#include "app/form/setup_page.h"

#include "app/form/run_form.h"
#include "app/present/call_counts.h"
#include "app/session/run_document.h"
#include "views/style/looks.h"
#include "views/theme.h"
#include "views/values/numbers.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace binade::app {

namespace {

constexpr int kWidth = 1240;

QString summaryOf(const wire::ModelInfo& model) {
  std::int64_t elements = 0;
  for (const wire::TensorInfo& parameter : model.parameters) {
    std::int64_t count = parameter.trainable ? 1 : 0;
    for (const std::int64_t size : parameter.shape) count *= size;
    elements += count;
  }
  QStringList arguments;
  for (const wire::ArgumentInfo& input : model.inputs) {
    arguments << QString::fromStdString(input.name + ": " + input.type);
  }
  QStringList lines;
  lines << SetupPage::tr("%1 · %2 · %3 trainable parameters · forward(%4) → %5")
               .arg(QString::fromStdString(model.type), callsText(callCounts(model)), views::grouped(elements),
                    arguments.join(QStringLiteral(", ")), QString::fromStdString(model.output));
  for (const std::string& warning : model.warnings) lines << QString::fromStdString(warning);
  return lines.join(u'\n');
}

}  // namespace

SetupPage::SetupPage(RunDocument* document, QWidget* parent)
    : QWidget(parent),
      document_(document),
      title_(new QLabel),
      summary_(new QLabel),
      form_(new RunForm(document, 2)),
      problem_(new QLabel),
      start_(new QPushButton),
      one_step_(new QPushButton(tr("One step on random data"))) {
  setObjectName(QStringLiteral("setupPage"));
  views::setPanelGround(this);
  setAccessibleName(tr("Set-up"));
  auto* outer = new QVBoxLayout(this);
  outer->setContentsMargins(0, 0, 0, 0);
  outer->setSpacing(0);
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(makePanel());
  outer->addWidget(scroll, 1);
  outer->addWidget(makeFoot());
  connect(document_, &RunDocument::changed, this, [this] { problem_->hide(); });
  allowStart();
}

/// Makes title, summary and form, at most kWidth wide.
QWidget* SetupPage::makePanel() {
  auto* panel = new QWidget;
  views::setPanelGround(panel);
  auto* middle = new QHBoxLayout(panel);
  middle->setContentsMargins(24, 24, 24, 24);
  auto* column = new QWidget;
  column->setMaximumWidth(kWidth);
  auto* layout = new QVBoxLayout(column);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  title_->setFont(views::textFont(20, QFont::DemiBold));
  views::setTone(summary_, views::Tone::kSecond);
  summary_->setWordWrap(true);
  summary_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  layout->addWidget(title_);
  layout->addWidget(summary_);
  layout->addSpacing(8);
  layout->addWidget(form_);
  layout->addStretch();
  middle->addStretch(1);
  middle->addWidget(column, 100);
  middle->addStretch(1);
  return panel;
}

/// Makes the problem text and the buttons, which do not scroll.
QWidget* SetupPage::makeFoot() {
  auto* foot = new QWidget;
  views::setSurface(foot, views::Surface::kFoot);
  auto* foot_layout = new QVBoxLayout(foot);
  foot_layout->setContentsMargins(24, 8, 24, 8);
  views::setTone(problem_, views::Tone::kCrimson);
  problem_->setWordWrap(true);
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  problem_->setAccessibleName(tr("Problem"));
  problem_->hide();
  foot_layout->addWidget(problem_);
  auto* buttons = new QHBoxLayout;
  buttons->setSpacing(8);
  auto* open = new QPushButton(tr("Open description…"));
  open->setToolTip(tr("A JSON file for binade-engine train."));
  auto* save = new QPushButton(tr("Save description…"));
  save->setToolTip(open->toolTip());
  auto* cancel = new QPushButton(tr("Cancel"));
  one_step_->setToolTip(tr("Runs one step on random data. The value ranges are not those of your model."));
  views::setPrimary(start_);
  start_->setDefault(true);
  start_->setToolTip(tr("Starts the run (F5)"));
  for (QPushButton* button : {open, save, cancel, one_step_}) button->setAutoDefault(false);
  buttons->addWidget(open);
  buttons->addWidget(save);
  buttons->addStretch();
  buttons->addWidget(cancel);
  buttons->addWidget(one_step_);
  buttons->addWidget(start_);
  foot_layout->addLayout(buttons);
  connect(open, &QPushButton::clicked, this, &SetupPage::openRequested);
  connect(save, &QPushButton::clicked, this, &SetupPage::saveRequested);
  connect(cancel, &QPushButton::clicked, this, &SetupPage::cancelled);
  connect(one_step_, &QPushButton::clicked, this, &SetupPage::oneStepRequested);
  connect(start_, &QPushButton::clicked, this, &SetupPage::start);
  return foot;
}

void SetupPage::setUp(const wire::ModelInfo& model, Purpose purpose) {
  purpose_ = purpose;
  const QString file = QFileInfo(QString::fromStdString(model.file)).fileName();
  const bool failed = purpose == Purpose::kFailedRun;
  title_->setText(failed ? tr("Failed run of %1").arg(file) : tr("Train %1").arg(file));
  QStringList summary{summaryOf(model)};
  if (failed) {
    summary << tr(
        "Enter the weights, one batch and the loss scale of the failed step. One step runs without an "
        "optimizer, and every op call is observed.");
  }
  if (!host_.isEmpty()) {
    summary << tr("The engine runs on %1. Names of files are names on that computer: type them, since the buttons show "
                  "the files of this one.")
                   .arg(host_);
  }
  summary_->setText(summary.join(u'\n'));
  form_->setModel(model);
  form_->setFailedRun(failed);
  one_step_->setVisible(!failed);
  problem_->hide();
  allowStart();
}

void SetupPage::startNow() {
  if (!start_->isEnabled()) return;
  start_->setFocus(Qt::ShortcutFocusReason);
  start();
}

void SetupPage::start() {
  if (const auto wrong = document_->problem()) {
    showProblem(*wrong);
    form_->goToProblem();
    return;
  }
  problem_->hide();
  start_->setEnabled(false);
  start_->setText(tr("Starting…"));
  Q_EMIT startableChanged();
  Q_EMIT startRequested();
}

void SetupPage::showProblem(const Problem& problem) {
  form_->showProblem(problem);
  problem_->setText(problem.text(u'\n'));
  problem_->show();
  allowStart();
}

QString SetupPage::problem() const {
  return problem_->isHidden() ? QString() : problem_->text();
}

void SetupPage::allowStart() {
  start_->setEnabled(true);
  start_->setText(purpose_ == Purpose::kFailedRun ? tr("Run this step") : tr("Start training"));
  Q_EMIT startableChanged();
}

}  // namespace binade::app
