import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api, management } from '../../api/client.ts';
import type { Member } from '../../api/types.ts';
import { Button } from '../../design/button.tsx';
import { CopyId } from '../../design/copy.tsx';
import { FormPanel } from '../../design/form-modal.tsx';
import { Select } from '../../design/inputs.tsx';
import { Facts, Row, Section } from '../../design/layout.tsx';
import { Loaded } from '../../design/loaded.tsx';
import { Panel } from '../../design/modal.tsx';
import { Skeleton } from '../../design/states.tsx';
import { Time } from '../../design/time.tsx';
import { toast } from '../../design/toast.tsx';
import { Name, Revealed } from '../../design/untrusted.tsx';
import { useEdited } from '../../forms/use-edited.ts';
import { useForm } from '../../forms/use-form.ts';
import { renewSession, useRight, useSession } from '../../session/session.tsx';
import { t } from '../../text/en.ts';
import { useMemberActions } from './member-menu.tsx';
import { MemberStatus, nameOf } from './member-parts.tsx';
import { rolesToGive } from './obstacles.ts';
import { memberQuery } from './queries.ts';
import { useObstacles } from './use-obstacles.ts';

interface MemberPanelProps {
  readonly id: string;
  onClose(): void;
}

/** One member, their role, and what can be done about their access. */
export function MemberPanel({ id, onClose }: MemberPanelProps) {
  const query = useQuery(memberQuery(id));
  const { edited, reload } = useEdited(query);
  if (edited === undefined)
    return (
      <Panel title={t.members.title} onClose={onClose}>
        <Loaded query={query} loading={<Skeleton height="block" />}>
          {() => null}
        </Loaded>
      </Panel>
    );
  const { data: member, etag } = edited.data;
  return <RoleForm member={member} etag={etag} onReload={reload} onClose={onClose} />;
}

interface RoleFormProps {
  readonly member: Member;
  readonly etag: string | undefined;
  onReload(): void;
  onClose(): void;
}

function RoleForm({ member, etag, onReload, onClose }: RoleFormProps) {
  const client = useQueryClient();
  const { user, role: ownRole } = useSession();
  const obstacles = useObstacles()(member);
  const obstacle = obstacles.role;
  const { items, question } = useMemberActions(member, obstacles, onClose);
  const form = useForm({
    version: etag,
    initial: { role: member.role },
    send: async ({ role }) => {
      await api.send(management(`/members/${member.id}`), { method: 'PATCH', body: { role }, ifMatch: etag });
      toast(t.members.roleSaved);
      onClose();
      await client.invalidateQueries({ queryKey: ['api'] });
      if (member.user_id === user.id) await renewSession(client);
    },
  });
  const chosen = form.values.role;
  const given = rolesToGive(ownRole);
  return (
    <>
      <FormPanel
        title={<Name text={nameOf(member)} />}
        submit={t.members.saveRole}
        form={form}
        unavailable={obstacle ?? (member.status === 'active' ? undefined : t.members.notActive)}
        onReload={onReload}
        onClose={onClose}
      >
        <MemberFacts member={member} />
        <Select
          label={t.members.role}
          hint={t.members.roleHints[chosen]}
          disabled={obstacle !== undefined || member.status !== 'active'}
          options={[member.role, ...given.filter((role) => role !== member.role)].map((value) => ({
            value,
            label: t.roles[value],
          }))}
          {...form.field('role')}
        />
        {obstacle !== undefined && <p className="muted">{obstacle}</p>}
        <Section title={t.members.access} bare>
          <Row>
            {items.map(({ label, icon, danger, unavailable, onSelect }) => (
              <Button
                key={label}
                {...(icon && { icon })}
                variant={danger ? 'danger' : 'plain'}
                unavailable={unavailable}
                onClick={onSelect}
              >
                {label}
              </Button>
            ))}
          </Row>
        </Section>
      </FormPanel>
      {/* Beside the panel, since a form cannot contain the form of a question. */}
      {question}
    </>
  );
}

/** @param verified null if no token or directory has said it */
const verifiedText = (verified: Member['email_verified']): string =>
  verified === null ? t.members.verifiedUnknown : verified ? t.members.verified : t.members.notVerified;

function MemberFacts({ member }: { readonly member: Member }) {
  const { email, email_verified: verified, last_seen_at: seen } = member;
  const { has: readsTrail } = useRight('audit:read');
  return (
    <Facts
      facts={[
        { term: t.members.status, value: <MemberStatus status={member.status} /> },
        ...(email === null
          ? []
          : [
              {
                term: t.members.email,
                value: (
                  <>
                    <Revealed text={email} /> <span className="muted">{verifiedText(verified)}</span>
                  </>
                ),
              },
            ]),
        { term: t.members.source, value: t.members.sources[member.source] },
        { term: t.members.since, value: <Time at={member.created_at} as="full" /> },
        ...(seen === null ? [] : [{ term: t.members.seen, value: <Time at={seen} /> }]),
        { term: t.members.userId, value: <CopyId id={member.user_id} /> },
        ...(readsTrail
          ? [
              {
                term: t.shell.pages.audit,
                value: (
                  <Link to="/audit" search={{ actor: member.user_id }}>
                    {t.members.trail}
                  </Link>
                ),
              },
            ]
          : []),
      ]}
    />
  );
}
