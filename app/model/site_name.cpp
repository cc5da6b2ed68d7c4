// SPDX-License-Identifier: Apache-2.0
#include "app/model/site_name.h"

namespace binade::app {

QString callText(const policy::SiteKey& key) {
  policy::SiteKey shown = key;
  shown.method.clear();
  return QString::fromStdString(shown.name());
}

QString callText(const std::vector<wire::SiteInfo>& sites, int site) {
  const auto at = static_cast<std::size_t>(site);
  return site < 0 || at >= sites.size() ? QStringLiteral("–") : callText(sites[at].key);
}

QString callOrIndex(const std::vector<wire::SiteInfo>& sites, int site) {
  const auto at = static_cast<std::size_t>(site);
  return at < sites.size() ? callText(sites[at].key) : QString::number(site);
}

QString siteName(const policy::SiteKey& key) {
  return QString::fromStdString(key.name());
}

bool isOfParameter(const wire::WatchedTensor& tensor) {
  using Kind = wire::WatchedTensor::Kind;
  return tensor.kind == Kind::kParameter || tensor.kind == Kind::kParameterGradient;
}

}  // namespace binade::app
