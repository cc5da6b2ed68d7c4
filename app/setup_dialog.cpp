// SPDX-License-Identifier: Apache-2.0
#include "app/setup_dialog.h"

#include "app/scale_text.h"
#include "app/session.h"
#include "app/synthetic_inputs.h"
#include "views/numbers.h"
#include "views/theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

namespace binade::app {

namespace {

const QString kIdx = QStringLiteral("idx");
const QString kSynthetic = QStringLiteral("synthetic");
const QString kOpenedPolicy = QStringLiteral("opened");

// Of the pixels of Fashion-MNIST's training half.
constexpr double kFashionMean = 0.2860;
constexpr double kFashionDeviation = 0.3530;

// Where Debian's dataset-fashion-mnist puts the files.
QString fashionMnistFolder() {
  const QString folder = QStringLiteral("/usr/share/datasets/fashion-mnist");
  return QFileInfo(folder).isDir() ? folder : QString();
}

bool takesPictures(const wire::ModelInfo& model) {
  for (const wire::TensorInfo& parameter : model.parameters) {
    if (parameter.shape.size() == 4) return parameter.shape[1] == 1;
    if (parameter.shape.size() == 2) return parameter.shape[1] == 784;
  }
  return false;
}

QSpinBox* spin(int low, int high, int value, const QString& name) {
  auto* box = new QSpinBox;
  box->setRange(low, high);
  box->setValue(value);
  box->setGroupSeparatorShown(true);
  box->setAccessibleName(name);
  return box;
}

// A row of several fields; its label's key goes to the first.
QHBoxLayout* addRow(QFormLayout* form, const QString& text, QWidget* first) {
  auto* label = new QLabel(text);
  label->setBuddy(first);
  auto* row = new QHBoxLayout;
  row->setSpacing(8);
  row->addWidget(first);
  form->addRow(label, row);
  return row;
}

QLabel* section(const QString& text) {
  auto* label = new QLabel(text);
  label->setFont(views::textFont(13, QFont::DemiBold));
  return label;
}

}  // namespace

SetupDialog::SetupDialog(const wire::ModelInfo& model, const policy::Policy& opened,
                         const policy::Capabilities& capabilities, QWidget* parent)
    : QDialog(parent), model_(model), opened_(opened), capabilities_(capabilities) {
  setWindowTitle(tr("Train %1").arg(QFileInfo(QString::fromStdString(model.file)).fileName()));
  setAttribute(Qt::WA_DeleteOnClose);
  setMinimumWidth(560);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(24, 20, 24, 20);
  layout->setSpacing(12);
  layout->addWidget(makeSummary());
  form_ = new QFormLayout;
  form_->setHorizontalSpacing(16);
  form_->setVerticalSpacing(8);
  addDataRows(form_);
  addTrainingRows(form_);
  addPolicyRows(form_);
  layout->addLayout(form_);
  problem_ = new QLabel;
  problem_->setProperty("tone", QStringLiteral("crimson"));
  problem_->setWordWrap(true);
  problem_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  problem_->setAccessibleName(tr("Problem"));
  problem_->hide();
  layout->addWidget(problem_);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  buttons->button(QDialogButtonBox::Cancel)->setIcon({});
  start_ = buttons->addButton(tr("Start training"), QDialogButtonBox::AcceptRole);
  start_->setProperty("primary", true);
  start_->setDefault(true);
  connect(start_, &QPushButton::clicked, this, &SetupDialog::start);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  layout->addWidget(buttons);
  connect(data_, &QComboBox::currentIndexChanged, this, &SetupDialog::showKind);
  showKind();
  showFindings();
}

QWidget* SetupDialog::makeSummary() const {
  std::int64_t elements = 0;
  for (const wire::TensorInfo& parameter : model_.parameters) {
    std::int64_t count = parameter.trainable ? 1 : 0;
    for (const std::int64_t size : parameter.shape) count *= size;
    elements += count;
  }
  QStringList lines;
  lines << tr("%1 · %2 op calls · %3 trainable parameters")
               .arg(QString::fromStdString(model_.type), views::grouped(static_cast<std::int64_t>(model_.sites.size())),
                    views::grouped(elements));
  for (const std::string& warning : model_.warnings) lines << QString::fromStdString(warning);
  auto* label = new QLabel(lines.join(u'\n'));
  label->setWordWrap(true);
  label->setProperty("tone", QStringLiteral("second"));
  return label;
}

void SetupDialog::addDataRows(QFormLayout* form) {
  form->addRow(section(tr("Data")));
  data_ = new QComboBox;
  data_->addItem(tr("Random batches (ranges are not your model's)"), kSynthetic);
  data_->addItem(tr("Fashion-MNIST (or other IDX files)"), kIdx);
  data_->setAccessibleName(tr("Data"));
  form->addRow(tr("&Batches from"), data_);

  folder_row_ = new QWidget;
  auto* row = new QHBoxLayout(folder_row_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(8);
  folder_ = new QLineEdit(fashionMnistFolder());
  folder_->setPlaceholderText(tr("Folder with the four IDX files, plain or .gz"));
  folder_->setAccessibleName(tr("Folder of the data set"));
  auto* choose = new QPushButton(tr("Choose…"));
  choose->setAutoDefault(false);  // Return starts the training
  connect(choose, &QPushButton::clicked, this, [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of the data set"), folder_->text());
    if (!folder.isEmpty()) folder_->setText(folder);
  });
  row->addWidget(folder_, 1);
  row->addWidget(choose);
  form->addRow(tr("&Folder"), folder_row_);

  inputs_ = new QPlainTextEdit(guessInputs(model_, 64).join(u'\n'));
  inputs_->setFont(views::figureFont());
  inputs_->setFrameShape(QFrame::StyledPanel);
  inputs_->setTabChangesFocus(true);
  inputs_->setFixedHeight(56);
  inputs_->setAccessibleName(tr("Inputs of the model, one a line"));
  QStringList names;
  for (const wire::ArgumentInfo& input : model_.inputs) names << QString::fromStdString(input.name + ": " + input.type);
  inputs_->setToolTip(
      tr("One line for each input of forward (%1), such as float32[64,3,32,32], int64[64,16]<1000 or true.")
          .arg(names.join(QStringLiteral(", "))));
  form->addRow(tr("&Inputs"), inputs_);
  classes_ = spin(2, 1'000'000, 10, tr("Number of classes"));
  form->addRow(tr("&Classes"), classes_);
  if (takesPictures(model_) && !fashionMnistFolder().isEmpty()) data_->setCurrentIndex(1);
}

void SetupDialog::addTrainingRows(QFormLayout* form) {
  form->addRow(section(tr("Training")));
  loss_ = new QComboBox;
  loss_->addItem(tr("cross-entropy"), QStringLiteral("cross_entropy"));
  loss_->addItem(tr("mean square of the output"), QStringLiteral("mse"));
  loss_->setAccessibleName(tr("Loss"));
  output_ = new QLineEdit;
  output_->setPlaceholderText(tr("all of it; or [0], logits, out.aux"));
  output_->setAccessibleName(tr("Output that the loss takes"));
  QHBoxLayout* loss_row = addRow(form, tr("&Loss"), loss_);
  loss_row->addWidget(new QLabel(tr("of output")));
  loss_row->addWidget(output_, 1);
  optimizer_ = new QComboBox;
  optimizer_->addItem(QStringLiteral("SGD"), QStringLiteral("sgd"));
  optimizer_->addItem(QStringLiteral("Adam"), QStringLiteral("adam"));
  optimizer_->setAccessibleName(tr("Optimizer"));
  const auto real = [](double high, double value, double step, int decimals, const QString& name) {
    auto* box = new QDoubleSpinBox;
    box->setDecimals(decimals);
    box->setRange(0, high);
    box->setSingleStep(step);
    box->setValue(value);
    box->setAccessibleName(name);
    return box;
  };
  rate_ = real(100, 0.01, 0.001, 6, tr("Learning rate"));
  momentum_ = real(0.9999, 0.9, 0.05, 4, tr("Momentum"));
  QHBoxLayout* optimizer_row = addRow(form, tr("&Optimizer"), optimizer_);
  optimizer_row->addWidget(new QLabel(tr("rate")));
  optimizer_row->addWidget(rate_);
  optimizer_row->addWidget(new QLabel(tr("momentum")));
  optimizer_row->addWidget(momentum_);
  optimizer_row->addStretch();
  connect(optimizer_, &QComboBox::currentIndexChanged, this, [this](int index) {
    momentum_->setEnabled(index == 0);
    rate_->setValue(index == 0 ? 0.01 : 0.001);
  });
  batch_ = spin(1, 1'000'000, 64, tr("Batch size"));
  steps_ = spin(1, 1'000'000'000, 1000, tr("Steps"));
  QHBoxLayout* batch_row = addRow(form, tr("Batc&h"), batch_);
  batch_row->addWidget(new QLabel(tr("steps")));
  batch_row->addWidget(steps_);
  batch_row->addStretch();
}

void SetupDialog::addPolicyRows(QFormLayout* form) {
  form->addRow(section(tr("Precision")));
  policy_ = new QComboBox;
  using policy::Base;
  for (const Base base :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kAllFloat32, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    const QString name = QString::fromStdString(policy::name(base));
    policy_->addItem(name, name);
    policy_->setItemData(policy_->count() - 1, QString::fromStdString(policy::brief(base)), Qt::ToolTipRole);
  }
  policy_->setAccessibleName(tr("Policy"));
  if (!opened_.ops.empty() || !opened_.sites.empty() || !opened_.name.empty()) {
    policy_->insertItem(
        0,
        tr("the opened policy: %1")
            .arg(QString::fromStdString(opened_.name.empty() ? policy::name(opened_.base) : opened_.name)),
        kOpenedPolicy);
    policy_->setCurrentIndex(0);
  }
  low_ = new QComboBox;
  low_->addItems({QStringLiteral("float16"), QStringLiteral("bfloat16")});
  low_->setAccessibleName(tr("Low format"));
  QHBoxLayout* policy_row = addRow(form, tr("&Policy"), policy_);
  policy_row->addWidget(new QLabel(tr("low format")));
  policy_row->addWidget(low_);
  policy_row->addStretch();
  const auto enable_low = [this] { low_->setEnabled(policy_->currentData().toString() != kOpenedPolicy); };
  connect(policy_, &QComboBox::currentIndexChanged, this, enable_low);
  enable_low();
  findings_ = new QLabel;
  findings_->setProperty("tone", QStringLiteral("second"));
  findings_->setWordWrap(true);
  findings_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  findings_->setAccessibleName(tr("What this policy does here"));
  form->addRow(QString(), findings_);
  connect(policy_, &QComboBox::currentIndexChanged, this, &SetupDialog::showFindings);
  connect(low_, &QComboBox::currentTextChanged, this, &SetupDialog::showFindings);
  scaler_ = new QCheckBox(tr("from"));
  scaler_->setChecked(true);
  scaler_->setAccessibleName(tr("Loss scaling"));
  scale_ = new QLineEdit(QStringLiteral("2^16"));
  scale_->setFixedWidth(96);
  scale_->setAccessibleName(tr("Initial loss scale"));
  growth_ = spin(1, 1'000'000, 2000, tr("Growth interval"));
  QHBoxLayout* scaler_row = addRow(form, tr("Loss &scale"), scaler_);
  scaler_row->addWidget(scale_);
  scaler_row->addWidget(new QLabel(tr("growing every")));
  scaler_row->addWidget(growth_);
  scaler_row->addWidget(new QLabel(tr("steps")));
  scaler_row->addStretch();
  connect(scaler_, &QCheckBox::toggled, scale_, &QWidget::setEnabled);
  connect(scaler_, &QCheckBox::toggled, growth_, &QWidget::setEnabled);
}

void SetupDialog::showKind() {
  const bool synthetic = data_->currentData().toString() == kSynthetic;
  form_->setRowVisible(folder_row_, !synthetic);
  form_->setRowVisible(inputs_, synthetic);
  form_->setRowVisible(classes_, synthetic);
}

policy::Policy SetupDialog::chosenPolicy() const {
  if (policy_->currentData().toString() == kOpenedPolicy) return opened_;
  policy::Policy chosen;
  chosen.base = policy::parse_base(policy_->currentData().toString().toStdString()).value_or(policy::Base::kCudaAmp);
  chosen.low = formats::parse(low_->currentText().toStdString()).value_or(formats::kFloat16);
  return chosen;
}

// What the engine would say of the policy once it runs, said before: the sites are known from the model's inspection.
void SetupDialog::showFindings() {
  const policy::Policy policy = chosenPolicy();
  std::vector<policy::SiteKey> sites;
  sites.reserve(model_.sites.size());
  for (const wire::SiteInfo& site : model_.sites) sites.push_back(site.key);
  const policy::Resolved resolved = policy::resolve(policy, sites, capabilities_, wire::SitePlaces(model_).places());
  constexpr int kShown = 4;
  QStringList lines;
  int more = 0;
  for (const policy::Finding& finding : resolved.findings) {
    // The loss's op calls are not part of the model, and not known yet.
    const bool of_loss =
        finding.rule >= 0 && policy.sites[static_cast<std::size_t>(finding.rule)].match.starts_with("loss");
    if (of_loss) continue;
    if (lines.size() < kShown) {
      lines << QString::fromStdString(finding.message);
    } else {
      ++more;
    }
  }
  if (more > 0) lines << tr("and %n more; policy check lists them all", nullptr, more);
  findings_->setText(lines.join(u'\n'));
  form_->setRowVisible(findings_, !lines.isEmpty());
  makeRoom();
}

wire::RunConfig SetupDialog::config() const {
  wire::RunConfig config;
  const QString file = QString::fromStdString(model_.file);
  config.name = QFileInfo(file).completeBaseName().toStdString();
  config.model = model_.file;
  config.data.kind = data_->currentData().toString().toStdString();
  if (config.data.kind == "idx") {
    config.data.folder = folder_->text().toStdString();
    if (folder_->text() == fashionMnistFolder()) {
      config.data.mean = kFashionMean;
      config.data.deviation = kFashionDeviation;
    }
  } else {
    for (const QString& line : inputs_->toPlainText().split(u'\n', Qt::SkipEmptyParts)) {
      config.data.inputs.push_back(line.trimmed().toStdString());
    }
    config.data.classes = classes_->value();
  }
  config.loss = loss_->currentData().toString().toStdString();
  config.output = output_->text().trimmed().toStdString();
  config.optimizer.kind = optimizer_->currentData().toString().toStdString();
  config.optimizer.learning_rate = rate_->value();
  config.optimizer.momentum = momentum_->isEnabled() ? momentum_->value() : 0;
  config.batch = batch_->value();
  config.steps = steps_->value();
  config.scaler.enabled = scaler_->isChecked();
  config.scaler.init_scale = parseScale(scale_->text()).value_or(65536);
  config.scaler.growth_interval = growth_->value();
  config.policy = chosenPolicy();
  config.run_file = Session::newRunFile(file).toStdString();
  return config;
}

void SetupDialog::start() {
  if (scaler_->isChecked() && !parseScale(scale_->text())) {
    scale_->setFocus();
    return showProblem({tr("“%1” is not a loss scale.").arg(scale_->text()),
                        tr("Type a power of two such as 2^16, or a positive number.")});
  }
  problem_->hide();
  start_->setEnabled(false);
  start_->setText(tr("Starting…"));
  Q_EMIT startRequested(config());
}

void SetupDialog::showProblem(const Problem& problem) {
  problem_->setText(problem.hint.isEmpty() ? problem.message : problem.message + u'\n' + problem.hint);
  problem_->show();
  makeRoom();
  allowStart();
}

// For a message that has come, or the fields above it would be squeezed.
void SetupDialog::makeRoom() {
  layout()->activate();
  resize(width(), std::max(height(), layout()->totalHeightForWidth(width())));
}

void SetupDialog::allowStart() {
  start_->setEnabled(true);
  start_->setText(tr("Start training"));
}

}  // namespace binade::app
