export const CONNECTOR_TABS = ['overview', 'tools', 'examination', 'usedBy', 'settings'] as const;
export type ConnectorTab = (typeof CONNECTOR_TABS)[number];
