// SPDX-License-Identifier: Apache-2.0
#include "app/form/policy_section.h"

#include "engine/policy/recipes.h"
#include "views/style/looks.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace binade::app {

namespace {

const QString kOpened = QStringLiteral("opened");
constexpr int kShownFindings = 4;

bool hasContent(const policy::Policy& policy) {
  return !policy.ops.empty() || !policy.sites.empty() || !policy.name.empty();
}

bool isRecipe(const policy::Policy& policy) {
  return policy::recipe(policy.name) == policy;
}

}  // namespace

PolicySection::PolicySection(RunDocument* document)
    : FormSection(document, tr("Precision")),
      document_(document),
      base_(new QComboBox),
      low_(new QComboBox),
      findings_(new QLabel) {
  using policy::Base;
  for (const Base base :
       {Base::kCudaAmp, Base::kCpuAmp, Base::kAllFloat32, Base::kApexO0, Base::kApexO1, Base::kApexO2, Base::kApexO3}) {
    const QString name = QString::fromStdString(policy::name(base));
    base_->addItem(name, name);
    base_->setItemData(base_->count() - 1, QString::fromStdString(policy::brief(base)), Qt::ToolTipRole);
  }
  base_->insertSeparator(base_->count());
  for (const std::string& recipe : policy::recipe_names()) {
    const QString name = QString::fromStdString(recipe);
    base_->addItem(name, name);
    base_->setItemData(base_->count() - 1, QString::fromStdString(policy::recipe_brief(recipe)), Qt::ToolTipRole);
  }
  base_->setAccessibleName(tr("Policy"));
  base_->setToolTip(
      tr("The base list determines which ops run in the low format. You can change any op call during training."));
  low_->addItems({QStringLiteral("float16"), QStringLiteral("bfloat16")});
  low_->setAccessibleName(tr("Low format"));
  auto* row = new QWidget;
  auto* layout = new QHBoxLayout(row);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(8);
  layout->addWidget(base_);
  layout->addWidget(new QLabel(tr("low format")));
  layout->addWidget(low_);
  layout->addStretch();
  widget(row, tr("Policy"));
  views::setTone(findings_, views::Tone::kSecond);
  findings_->setWordWrap(true);
  findings_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  findings_->setAccessibleName(tr("Effect of this policy on the model"));
  widget(findings_);
  connect(base_, &QComboBox::currentIndexChanged, this, &PolicySection::choose);
  connect(low_, &QComboBox::currentIndexChanged, this, &PolicySection::choose);
  connect(document_, &RunDocument::changed, this, &PolicySection::show);
  show();
}

void PolicySection::setModel(const wire::ModelInfo& model) {
  model_ = model;
  sites_.clear();
  for (const wire::SiteInfo& site : model.sites) sites_.push_back(site.key);
  show();
}

void PolicySection::setCapabilities(const policy::Capabilities& capabilities) {
  capabilities_ = capabilities;
  show();
}

void PolicySection::setOpened(const policy::Policy& opened) {
  opened_ = opened;
  show();
}

void PolicySection::choose() {
  wire::RunConfig after = document_->config();
  if (base_->currentData().toString() == kOpened) {
    if (hasContent(opened_) && (!hasContent(after.policy) || isRecipe(after.policy))) after.policy = opened_;
  } else if (const auto recipe = policy::recipe(base_->currentData().toString().toStdString())) {
    after.policy = *recipe;
  } else {
    after.policy = {};
    after.policy.base =
        policy::parse_base(base_->currentData().toString().toStdString()).value_or(policy::Base::kCudaAmp);
    after.policy.low = formats::parse(low_->currentText().toStdString()).value_or(formats::kFloat16);
  }
  document_->edit(tr("Change of the policy"), after, QStringLiteral("policy"));
}

void PolicySection::show() {
  const policy::Policy& policy = document_->config().policy;
  const QSignalBlocker quiet_base(base_);
  const QSignalBlocker quiet_low(low_);
  if (const int old = base_->findData(kOpened); old >= 0) base_->removeItem(old);
  const bool recipe = isRecipe(policy);
  const bool own = hasContent(policy) && !recipe;
  if (own || hasContent(opened_)) {
    const policy::Policy& named = own ? policy : opened_;
    base_->insertItem(
        0,
        tr("opened policy: %1").arg(QString::fromStdString(named.name.empty() ? policy::name(named.base) : named.name)),
        kOpened);
  }
  const QString named = QString::fromStdString(recipe ? policy.name : policy::name(policy.base));
  base_->setCurrentIndex(base_->findData(own ? kOpened : named));
  low_->setCurrentText(QString::fromStdString(formats::name(policy.low)));
  low_->setEnabled(!own && !recipe);

  // Findings as the engine would report them when the run starts: the inspected model provides the sites.
  const wire::SitePlaces places(model_);
  const policy::Resolved resolved = policy::resolve(policy, sites_, capabilities_, places.places());
  QStringList lines;
  int more = 0;
  for (const policy::Finding& finding : resolved.findings) {
    // Op calls of the loss are not part of the model: rules for them cannot be checked yet.
    const bool of_loss =
        finding.rule >= 0 && policy.sites[static_cast<std::size_t>(finding.rule)].match.starts_with("loss");
    if (of_loss || sites_.empty()) continue;
    if (lines.size() < kShownFindings) {
      lines << QString::fromStdString(finding.message);
    } else {
      ++more;
    }
  }
  if (more > 0) lines << tr("and %n more; binade-engine policy check lists all", nullptr, more);
  findings_->setText(lines.join(u'\n'));
  findings_->setVisible(!lines.isEmpty());
}

}  // namespace binade::app
